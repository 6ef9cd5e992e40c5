"""A description that is complete, and patches for a small tree."""

COMPLETE = {"summary": "s", "class": "c", "invariant": "i", "reachable_from": "r", "engines": ["proof"], "names": ["I1 order"]}
PATCH = """--- a/room/file.h
+++ b/room/file.h
@@ -1,2 +1,2 @@
-right
+wrong
 rest
"""
ADDING_PATCH = """--- /dev/null
+++ b/room/fresh.h
@@ -0,0 +1 @@
+new
"""
