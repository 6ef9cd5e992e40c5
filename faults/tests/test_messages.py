"""The programs' outputs are read rightly."""

import unittest

from runner import messages
from runner.process import Ended

FUZZ_VIOLATION = """#12\tNEW    cov: 3
VIOLATED: I1 order: begin <= head_end
arena: 40 bytes at address 64, 64-bit words; sequence:
  AllocateTemporary(size=3, alignment=1) -> granted, begin
  ResizeHead(begin, size=9, alignment=1) -> granted
  before: head ends at begin
==7== ERROR: libFuzzer: deadly signal
    #0 0x55 in __sanitizer_print_stack_trace (/b/fuzz+0x1)
    #9 0x56 in arenaproof::(anonymous namespace)::RunOnBuffer(int) fuzz/fuzz_arena_operations.cc:90:5
    #10 0x57 in LLVMFuzzerTestOneInput fuzz/fuzz_arena_operations.cc:120:7
SUMMARY: libFuzzer: deadly signal
stat::number_of_executed_units: 4711
"""
ASAN_REPORT = """input 3 a
=================================================================
==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x1
WRITE of size 20 at 0x60 thread T0
    #0 0x1 in __asan_memset (/b/plain+0x1)
    #1 0x2 in arenaproof::Copy(int) /tree/kernels/reference/concatenation.cc:31:3
SUMMARY: AddressSanitizer: heap-buffer-overflow
"""
VALGRIND_REPORT = """input 3 a
==12== Conditional jump or move depends on uninitialised value(s)
==12==    at 0x48: arenaproof::Greater(float) (pool.cc:20)
==12==    by 0x49: main (main.cc:3)
"""


KERNEL_VIOLATION = """SOFTMAX (operator 12, kernel reference) reads up to 1 byte after input 32 (12 bytes) in invoke, 1 access, 1 byte
  map
DEFECT: violation: a kernel touched what is not its operator's own
"""
GAVE_UP = """[ RUN      ] Some.GivesUp
Using configuration: seed=13 max_success=40
/usr/include/rapidcheck/gtest.h:29: Failure
Failed
Gave up after 3 tests

g.cc:3:
RC_PRE(x == 123456789)

[  FAILED  ] Some.GivesUp (28 ms)
[ RUN      ] Some.Holds
[       OK ] Some.Holds (0 ms)
"""
FALSIFIED = """[ RUN      ] Some.Fails
/usr/include/rapidcheck/gtest.h:29: Failure
Failed
Falsifiable after 12 tests and 1 shrink

g.cc:4:
RC_ASSERT(x < 3)

[  FAILED  ] Some.Fails (0 ms)
"""
FAILED_LIST = "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Some.GivesUp\n"
ADDED_FAILURE = """[ RUN      ] Shapes/FailureInjection.LeavesNothing/3
a_test.cc:6: Failure
Failed
2 temporaries stay behind
[  FAILED  ] Shapes/FailureInjection.LeavesNothing/3, where GetParam() = x (0 ms)
"""
UNEQUAL = """a_test.cc:136: Failure
Expected equality of these values:
  interpreter->tail_bytes()
    Which is: 96
  tail_at_start
    Which is: 0
nothing is lost

[  FAILED  ] Shapes/FailureInjection.Refuses/3, where GetParam() = x (0 ms)
"""
SEARCH = """scope                              bytes word     states  transitions longest  seconds
no bytes at all                        0   32          3         2978       2     0.00
up to the last address, 64 bits        9   64        870      1236210       5     0.08

VIOLATED: I1 order
"""


def ended(status, output="", cut=False):
    return Ended(status, cut, 1.0, 1.0, output)


class MessageOfAnOutput(unittest.TestCase):
    def test_is_the_broken_invariant_with_the_place(self):
        message = messages.message_of(FUZZ_VIOLATION)
        self.assertTrue(message.startswith("I1 order: begin <= head_end"), message)
        self.assertIn("ResizeHead(begin, size=9, alignment=1) -> granted", message)
        self.assertNotIn("AllocateTemporary", message)
        self.assertIn("RunOnBuffer", message)
        self.assertIn("fuzz_arena_operations.cc:90", message)

    def test_is_the_sanitizers_first_line_with_our_frames_only(self):
        message = messages.message_of(ASAN_REPORT)
        self.assertTrue(message.startswith("AddressSanitizer: heap-buffer-overflow"), message)
        self.assertIn("in Copy(int) concatenation.cc:31", message)
        self.assertNotIn("__asan_memset", message)

    def test_is_valgrinds_first_error(self):
        self.assertIn("Conditional jump", messages.message_of(VALGRIND_REPORT))
        self.assertIn("pool.cc:20", messages.message_of(VALGRIND_REPORT))

    def test_is_the_proofs_refuted_obligation(self):
        output = "\nMoveHead\n  I4 holds    64-bit UNKNOWN 1 ms\n\nResizeHead\n  I1 order holds      64-bit VIOLATED\n"
        self.assertEqual("I1 order holds; ResizeHead", messages.message_of(output))

    def test_is_the_assertion_of_a_property_with_its_name(self):
        output = ("Falsifiable after 4 tests\n\nprops/a.cc:40:\nRC_ASSERT(SameVerdict(found))\n\nLog:\nfound P1, expected "
                  "none\n[  FAILED  ] Certifier.EqualsTheOracle (3 ms)\n")
        self.assertEqual("RC_ASSERT(SameVerdict(found)); found P1, expected none; Certifier.EqualsTheOracle",
                         messages.message_of(output))

    def test_has_the_violation_that_stands_before_the_defect(self):
        message = messages.message_of(KERNEL_VIOLATION)
        self.assertIn("a kernel touched what is not its operator's own", message)
        self.assertIn("SOFTMAX (operator 12, kernel reference) reads up to 1 byte after input 32", message)

    def test_is_the_text_of_a_failed_test_with_its_whole_name(self):
        self.assertEqual("2 temporaries stay behind; Shapes/FailureInjection.LeavesNothing/3",
                         messages.message_of(ADDED_FAILURE))

    def test_ends_with_the_tests_own_text(self):
        self.assertEqual("96; Shapes/FailureInjection.Refuses/3; nothing is lost", messages.message_of(UNEQUAL))

    def test_leaves_out_a_property_that_only_gave_up(self):
        self.assertEqual("RC_ASSERT(x < 3); Some.Fails", messages.message_of(GAVE_UP + FALSIFIED + FAILED_LIST))

    def test_names_the_signal_when_the_program_reports_nothing(self):
        self.assertEqual("died of SIGSEGV after: Using configuration",
                         messages.message_for(ended(-11, "Using configuration\n")))
        self.assertEqual("I1 order", messages.message_for(ended(-6, "VIOLATED: I1 order\n")))

    def test_is_the_last_line_when_there_is_no_finding(self):
        self.assertEqual("the end", messages.message_of("first\n  the end  \n\n"))
        self.assertEqual("", messages.message_of(""))


class TheRightThing(unittest.TestCase):
    def test_is_named_when_any_expression_matches(self):
        self.assertTrue(messages.names_the_right_thing(["I9", "I1 ord.r"], "I1 order"))
        self.assertFalse(messages.names_the_right_thing(["I9"], "I1 order"))

    def test_is_unknown_without_expressions(self):
        self.assertIsNone(messages.names_the_right_thing([], "I1 order"))


class Executions(unittest.TestCase):
    def test_are_read_from_fuzzers_and_property_programs(self):
        self.assertEqual(4711, messages.executions_of(FUZZ_VIOLATION))
        self.assertEqual(17, messages.executions_of("Falsifiable after 17 tests and 3 shrinks"))
        self.assertEqual(40 + 12, messages.executions_of(GAVE_UP + FALSIFIED))
        self.assertEqual(19, messages.executions_of("replayed the empty input and 19 files in 0.10 s"))

    def test_of_a_search_are_summed_over_its_scopes(self):
        self.assertEqual(2978 + 1236210, messages.executions_of(SEARCH))

    def test_are_unknown_when_they_are_not_counted(self):
        self.assertIsNone(messages.executions_of("nothing"))


class Verdicts(unittest.TestCase):
    def test_a_fuzzer_that_was_interrupted_or_could_not_start_found_nothing(self):
        self.assertFalse(messages.found_by_fuzzer(ended(72, "==1== libFuzzer: run interrupted; exiting", cut=True)))
        self.assertFalse(messages.found_by_fuzzer(ended(1, "ERROR: The required directory does not exist")))
        self.assertTrue(messages.found_by_fuzzer(ended(77, FUZZ_VIOLATION)))

    def test_a_fuzzer_that_died_before_its_handlers_were_installed_found_something(self):
        self.assertTrue(messages.found_by_fuzzer(ended(-6, "arena invariant broken by ResizeHead: I1 order")))
        self.assertTrue(messages.found_by_fuzzer(ended(-11, "INFO: Seed: 7")))
        self.assertTrue(messages.found_by_fuzzer(ended(77, "==7==ERROR: LeakSanitizer: detected memory leaks")))
        self.assertFalse(messages.found_by_fuzzer(ended(-9, "INFO: Seed: 7", cut=True)))

    def test_a_replay_that_could_not_read_its_corpus_found_nothing(self):
        self.assertFalse(messages.found_by_replay(ended(1, "usage")))
        self.assertTrue(messages.found_by_replay(ended(-6, "DEFECT: violation: x\n\nwhile replaying a")))

    def test_a_program_that_reports_nothing_found_nothing(self):
        self.assertFalse(messages.found_by_report(ended(3, "internal error: bad_alloc")))
        self.assertFalse(messages.found_by_report(ended(1, "Killed")))
        self.assertTrue(messages.found_by_report(ended(3, ASAN_REPORT)))
        self.assertTrue(messages.found_by_report(ended(1, "1c1\n< model a 3\n")))

    def test_a_property_that_gave_up_found_nothing(self):
        self.assertFalse(messages.found_by_report(ended(1, GAVE_UP + FAILED_LIST)))
        self.assertTrue(messages.found_by_report(ended(1, GAVE_UP + FALSIFIED + FAILED_LIST)))
        self.assertTrue(messages.found_by_report(ended(1, ADDED_FAILURE)))

    def test_a_program_that_could_not_run_found_nothing(self):
        self.assertFalse(messages.found_by_report(ended(2, "VIOLATED: x")))
        self.assertTrue(messages.found_by_report(ended(1, "VIOLATED: x")))
        self.assertTrue(messages.found_by_report(ended(-11)))
        self.assertFalse(messages.found_by_report(ended(-9, cut=True)))
        self.assertFalse(messages.found_by_report(ended(-2, cut=True)))

    def test_undefined_behaviour_is_no_finding_of_plain_address_sanitizer(self):
        ubsan = ended(1, "a.cc:3:1: runtime error: shift exponent")
        self.assertFalse(messages.found_by_plain_asan(ubsan))
        self.assertTrue(messages.stopped_by_ubsan(ubsan))
        self.assertTrue(messages.found_by_plain_asan(ended(1, ASAN_REPORT)))

    def test_valgrind_finds_by_its_own_status_or_a_crash(self):
        self.assertTrue(messages.found_by_valgrind(ended(messages.VALGRIND_EXIT)))
        self.assertTrue(messages.found_by_valgrind(ended(-11)))
        self.assertFalse(messages.found_by_valgrind(ended(2)))


if __name__ == "__main__":
    unittest.main()
