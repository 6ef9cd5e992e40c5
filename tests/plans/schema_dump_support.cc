#include "tests/plans/schema_dump_support.h"

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/reflection.h>

#include "tools/model/wire_schema.h"

namespace arenaproof::testing {
namespace {

using flatbuffers::Table;
using flatbuffers::uoffset_t;
using Bytes = const std::uint8_t*;

std::string Hex(Bytes bytes, std::size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  return text;
}

Bytes Follow(Bytes at) { return at + flatbuffers::ReadScalar<uoffset_t>(at); }

std::string DumpTable(Bytes table, const TableType& type);

std::string DumpVector(Bytes list, const reflection::Field& field) {
  const uoffset_t count = flatbuffers::ReadScalar<uoffset_t>(list);
  const reflection::BaseType element = field.type()->element();
  std::string text = std::to_string(count) + "[";
  if (element != reflection::Obj && element != reflection::String) {
    return text + Hex(list + sizeof count, count * flatbuffers::GetTypeSize(element)) + "]";
  }
  for (uoffset_t i = 0; i < count; ++i) {
    const Bytes entry = Follow(list + sizeof count * (1 + i));
    text += element == reflection::Obj ? DumpTable(entry, TableTypeAt(field.type()->index()))
                                       : Hex(entry, sizeof count + flatbuffers::ReadScalar<uoffset_t>(entry));
  }
  return text + "]";
}

std::string DumpField(const Table& table, const reflection::Field& field) {
  const Bytes at = table.GetAddressOf(field.offset());
  switch (field.type()->base_type()) {
    case reflection::String:
      return Hex(Follow(at), sizeof(uoffset_t) + flatbuffers::ReadScalar<uoffset_t>(Follow(at)));
    case reflection::Vector:
      return DumpVector(Follow(at), field);
    case reflection::Obj:
      return DumpTable(Follow(at), TableTypeAt(field.type()->index()));
    case reflection::Union: {
      const auto member = table.GetField<std::uint8_t>(
          static_cast<flatbuffers::voffset_t>(field.offset() - sizeof(flatbuffers::voffset_t)), 0);
      const TableType* const type = MemberOf(field, member);
      return type == nullptr ? "?" : DumpTable(Follow(at), *type);
    }
    default:
      return Hex(at, flatbuffers::GetTypeSize(field.type()->base_type()));
  }
}

std::string DumpTable(Bytes bytes, const TableType& type) {
  const Table& table = *reinterpret_cast<const Table*>(bytes);
  std::string text = type.name + "{";
  for (const reflection::Field* const field : type.fields) {
    if (table.CheckField(field->offset())) text += field->name()->str() + "=" + DumpField(table, *field) + ",";
  }
  return text + "}";
}

}  // namespace

SchemaDump DumpModel(std::span<const std::byte> file) {
  SchemaDump dump;
  const auto& root = *reinterpret_cast<const Table*>(Follow(reinterpret_cast<Bytes>(file.data())));
  for (const reflection::Field* const field : RootTableType().fields) {
    if (!root.CheckField(field->offset())) continue;
    const std::string name = field->name()->str();
    if (name != "buffers" && name != "metadata") {
      dump.fields.push_back(name + "=" + DumpField(root, *field));
      continue;
    }
    std::vector<std::string>& entries = name == "buffers" ? dump.buffers : dump.metadata;
    const Bytes list = Follow(root.GetAddressOf(field->offset()));
    for (uoffset_t i = 0; i < flatbuffers::ReadScalar<uoffset_t>(list); ++i) {
      entries.push_back(DumpTable(Follow(list + sizeof i * (1 + i)), TableTypeAt(field->type()->index())));
    }
  }
  return dump;
}

}  // namespace arenaproof::testing
