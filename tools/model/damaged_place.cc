#include "tools/model/damaged_place.h"

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/model/wire_schema.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

using Field = reflection::Field;
using flatbuffers::soffset_t;
using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;

// Of the verifier: the root's offset, and a table of nothing but its list of fields.
constexpr std::uint64_t kLeastFileBytes = FLATBUFFERS_MIN_BUFFER_SIZE;
constexpr std::uint64_t kOffsetBytes = sizeof(uoffset_t);
constexpr std::uint64_t kMostOffset = INT32_MAX;

std::string Bytes(std::uint64_t count) { return Counted(static_cast<long long>(count), "byte"); }

class Walk {
 public:
  Walk(std::span<const std::byte> file, const StructureLimits& limits) : file_(file), limits_(limits) {}

  std::optional<DamagedPlace> Run() {
    const TableType& root = RootTableType();
    levels_.push_back({&root, nullptr, -1});
    std::uint64_t table = 0;
    if (file_.size() < kLeastFileBytes) {
      Fail(0, Ends("the smallest model", 0, kLeastFileBytes));
    } else if (Follow(0, &table)) {
      levels_.clear();
      Table(table, root);
    }
    return place_;
  }

 private:
  struct Level {
    const TableType* table;
    const Field* field;  // the one that is looked at; null: the table itself
    std::int64_t entry;  // of that field's list; -1: none
  };

  template <typename Word>
  Word Read(std::uint64_t at) const {
    Word number{};
    std::memcpy(&number, file_.data() + at, sizeof number);
    return number;
  }

  // The verifier's rule, which grants no range the whole of the file.
  bool Inside(std::uint64_t at, std::uint64_t bytes) const {
    return bytes < file_.size() && at <= file_.size() - bytes;
  }

  std::string FileBytes() const { return "; the file has " + Bytes(file_.size()); }

  std::string Ends(std::string_view thing, std::uint64_t at, std::uint64_t bytes) const {
    return std::string(thing) + " at byte " + std::to_string(at) + " takes " + Bytes(bytes) +
           " and would end at byte " + std::to_string(at + bytes) + FileBytes();
  }

  // Notes the damage; false, for the walk to end.
  bool Fail(std::uint64_t at, std::string what) {
    const Level& last = levels_.back();
    std::string path = levels_.front().table->name;
    for (const Level& level : std::span(levels_).first(levels_.size() - 1)) {
      path += "." + level.field->name()->str();
      if (level.entry >= 0) path += "[" + std::to_string(level.entry) + "]";
    }
    const std::string field = last.field == nullptr ? std::string() : last.field->name()->str();
    place_ = DamagedPlace{std::move(path), last.table->name, field, at, std::move(what)};
    return false;
  }

  // A number of so many bytes, aligned to them.
  bool Number(std::string_view thing, std::uint64_t at, std::uint64_t bytes) {
    if (at % bytes != 0) {
      return Fail(at, std::string(thing) + " lies at byte " + std::to_string(at) + "; a multiple of " +
                          std::to_string(bytes) + " would be right");
    }
    return Inside(at, bytes) || Fail(at, Ends(thing, at, bytes));
  }

  // The place that the offset at `at` leads to.
  bool Follow(std::uint64_t at, std::uint64_t* target) {
    if (!Number("the offset", at, kOffsetBytes)) return false;
    const std::uint64_t offset = Read<uoffset_t>(at);
    const std::string found = "the offset at byte " + std::to_string(at) + " is " + std::to_string(offset);
    if (offset == 0) return Fail(at, found + " and leads to itself; 4 or more would be right");
    *target = at + offset;
    if (offset > kMostOffset || !Inside(*target, 1)) {
      return Fail(at, found + " and leads to byte " + std::to_string(*target) + FileBytes());
    }
    return true;
  }

  bool List(std::uint64_t at, std::uint64_t entry_bytes, std::uint64_t* count) {
    if (!Number("the length of the list", at, kOffsetBytes)) return false;
    *count = Read<uoffset_t>(at);
    const std::uint64_t bytes = kOffsetBytes + *count * entry_bytes;
    if (*count < FLATBUFFERS_MAX_BUFFER_SIZE / entry_bytes && Inside(at, bytes)) return true;
    return Fail(at, "the list at byte " + std::to_string(at) + " has " + std::to_string(*count) + " entries of " +
                        Bytes(entry_bytes) + " and would end at byte " + std::to_string(at + bytes) + FileBytes());
  }

  bool Text(std::uint64_t at) {
    if (!Number("the length of the text", at, kOffsetBytes)) return false;
    const std::uint64_t count = Read<uoffset_t>(at), end = at + kOffsetBytes + count;
    const std::string found = "the text at byte " + std::to_string(at) + " has " + Bytes(count);
    if (count >= FLATBUFFERS_MAX_BUFFER_SIZE || !Inside(at, kOffsetBytes + count) || !Inside(end, 1)) {
      return Fail(at,
                  found + " and would end, with the zero behind it, at byte " + std::to_string(end + 1) + FileBytes());
    }
    const auto terminator = Read<std::uint8_t>(end);
    return terminator == 0 || Fail(end, found + " and is followed by " + std::to_string(terminator) + " at byte " +
                                            std::to_string(end) + "; a zero would be right");
  }

  bool Table(std::uint64_t at, const TableType& table) {
    levels_.push_back({&table, nullptr, -1});
    if (!Number("the start of the table", at, kOffsetBytes)) return false;
    if (levels_.size() > limits_.most_depth) {
      return Fail(at, "the table at byte " + std::to_string(at) + " is nested more than " +
                          std::to_string(limits_.most_depth) + " deep");
    }
    if (++table_count_ > limits_.most_tables) {
      return Fail(at, "there are more than " + std::to_string(limits_.most_tables) +
                          " tables up to here, which a file of " + Bytes(file_.size()) +
                          " has only where lists share their tables");
    }
    std::uint64_t fields = 0, fields_bytes = 0;
    if (!FieldList(at, &fields, &fields_bytes)) return false;
    for (const Field* const field : table.fields) {
      levels_.back().field = field;
      levels_.back().entry = -1;
      if (field->offset() >= fields_bytes) continue;
      const auto offset = Read<voffset_t>(fields + field->offset());
      if (offset != 0 && !Value(at + offset, *field, at, fields, fields_bytes)) return false;
    }
    levels_.pop_back();
    return true;
  }

  // A table begins with the distance back to the list of its fields' places (its vtable), which begins with its bytes.
  bool FieldList(std::uint64_t at, std::uint64_t* fields, std::uint64_t* fields_bytes) {
    constexpr std::string_view kThing = "the table's list of fields (vtable)";
    constexpr std::uint64_t kCountBytes = sizeof(voffset_t);
    const std::int64_t begin = static_cast<std::int64_t>(at) - std::int64_t{Read<soffset_t>(at)};
    if (begin < 0) {
      return Fail(at, std::string(kThing) + " would begin " + Bytes(static_cast<std::uint64_t>(-begin)) +
                          " before the file, by the offset at byte " + std::to_string(at));
    }
    *fields = static_cast<std::uint64_t>(begin);
    if (!Number(kThing, *fields, kCountBytes)) return false;
    *fields_bytes = Read<voffset_t>(*fields);
    if (*fields_bytes % kCountBytes != 0) {
      return Fail(*fields, std::string(kThing) + " at byte " + std::to_string(*fields) + " takes " +
                               Bytes(*fields_bytes) + "; an even number would be right");
    }
    return Inside(*fields, *fields_bytes) || Fail(*fields, Ends(kThing, *fields, *fields_bytes));
  }

  bool Value(std::uint64_t at, const Field& field, std::uint64_t table, std::uint64_t fields,
             std::uint64_t fields_bytes) {
    const reflection::BaseType type = field.type()->base_type();
    if (type < reflection::String) return Number("the value", at, flatbuffers::GetTypeSize(type));
    std::uint64_t target = 0;
    if (!Follow(at, &target)) return false;
    switch (type) {
      case reflection::String:
        return Text(target);
      case reflection::Vector:
        return Entries(target, *field.type());
      case reflection::Obj:
        return Table(target, TableTypeAt(field.type()->index()));
      default:
        break;
    }
    // A union: the field before it holds which table it is.
    const std::uint64_t place = field.offset() - sizeof(voffset_t);
    const std::uint64_t offset = place < fields_bytes ? Read<voffset_t>(fields + place) : 0;
    const TableType* const member = offset == 0 ? nullptr : MemberOf(field, Read<std::uint8_t>(table + offset));
    return member == nullptr || Table(target, *member);
  }

  bool Entries(std::uint64_t at, const reflection::Type& list) {
    const reflection::BaseType element = list.element();
    std::uint64_t count = 0;
    if (!List(at, flatbuffers::GetTypeSize(element), &count)) return false;
    if (element < reflection::String) return true;
    for (std::uint64_t i = 0; i < count; ++i) {
      levels_.back().entry = static_cast<std::int64_t>(i);
      const std::uint64_t entry = at + kOffsetBytes * (i + 1);
      // Nobody checks an entry's offset but at its target.
      const std::uint64_t target = entry + Read<uoffset_t>(entry);
      if (!(element == reflection::String ? Text(target) : Table(target, TableTypeAt(list.index())))) return false;
    }
    return true;
  }

  const std::span<const std::byte> file_;
  const StructureLimits limits_;
  std::vector<Level> levels_;  // the root first
  std::uint64_t table_count_ = 0;
  std::optional<DamagedPlace> place_;
};

}  // namespace

std::optional<DamagedPlace> LocateDamage(std::span<const std::byte> file, const StructureLimits& limits) {
  return Walk(file, limits).Run();
}

std::string DamageSentence(const DamagedPlace& place) {
  const std::string field = place.field.empty() ? "" : ", field " + place.field;
  return "the file is damaged at " + place.path + " (table " + place.table + field + "): " + place.what;
}

}  // namespace arenaproof
