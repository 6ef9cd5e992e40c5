#include "tools/model/plan_embedding.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "core/model/offline_plan.h"
#include "core/model/schema_generated.h"
#include "tools/model/front_writer.h"

namespace arenaproof {
namespace {

using flatbuffers::voffset_t;
using wire::Model;

constexpr voffset_t kFirstFieldEntry = 4;  // of a vtable, behind its own size and the table's
constexpr voffset_t kBehindKnownFields = Model::VT_EXTERNAL_BUFFERS + sizeof(voffset_t);
// No list of fields says where a field lies that is farther behind its table.
constexpr std::size_t kMostFieldOffset = std::numeric_limits<voffset_t>::max();

class OldModel {
 public:
  explicit OldModel(const ModelView& view)
      : view_(view),
        start_(reinterpret_cast<const std::uint8_t*>(view.bytes().data())),
        root_(*wire::GetModel(start_)) {}

  const Model& root() const { return root_; }
  const flatbuffers::Table& table() const { return reinterpret_cast<const flatbuffers::Table&>(root_); }
  template <typename Object>
  std::size_t PositionOf(const Object* object) const {
    return static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(object) - start_);
  }
  std::size_t field_entry_end() const { return flatbuffers::ReadScalar<voffset_t>(table().GetVTable()); }
  std::size_t buffer_count() const { return view_.buffer_count(); }

  bool IsPlan(std::size_t metadata) const { return view_.metadata(metadata).name == kOfflinePlanName; }

  // The buffer of the last plan, when nothing but plans refers to it.
  std::optional<std::size_t> PlansOwnBuffer() const {
    std::optional<std::size_t> buffer;
    std::set<std::size_t> others = {0};  // what has no data refers to the first one
    for (std::size_t i = 0; i < view_.metadata_count(); ++i) {
      const std::size_t index = view_.metadata(i).buffer;
      if (IsPlan(i)) {
        buffer = index;
      } else {
        others.insert(index);
      }
    }
    if (const auto* list = root_.metadata_buffer()) {
      for (const std::int32_t index : *list) others.insert(static_cast<std::size_t>(index));
    }
    for (std::size_t s = 0; s < view_.subgraph_count(); ++s) {
      for (std::size_t i = 0; i < view_.tensor_count(s); ++i) others.insert(view_.tensor(s, i).buffer);
    }
    if (!buffer || *buffer >= buffer_count() || others.contains(*buffer)) return std::nullopt;
    return buffer;
  }

 private:
  const ModelView& view_;
  const std::uint8_t* start_;
  const Model& root_;
};

// What becomes of the two lists.
struct Rewriting {
  std::optional<std::vector<std::byte>> plan;  // nothing: it is stripped
  std::vector<std::size_t> kept_metadata;
  std::size_t buffer_count = 0;            // of the new list
  std::optional<std::size_t> plan_buffer;  // whose entry in the new list is a new table
};

class Front {
 public:
  Front(const OldModel& old, const Rewriting& rewriting) : old_(old), rewriting_(rewriting) {}

  RewrittenModel Write(std::span<const std::byte> old_file) {
    const std::size_t root = front_.PutReference();
    front_.PutBytes(std::as_bytes(std::span(wire::ModelIdentifier(), 4)));
    PutRoot(root);
    PutBuffers();
    if (metadata_) PutMetadata();
    RewrittenModel result;
    result.bytes = front_.Finish(kKeptAlignment);
    for (const UnknownField& field : unknown_) {
      const std::size_t behind = result.bytes.size() + field.old_position - table_;
      if (behind > kMostFieldOffset) {
        return {
            "the file's root has a field that this version of the format does not know, too far behind its start "
            "to be kept in a new root",
            {}};
      }
      Set16(result.bytes, field.entry, behind);
      Set16(result.bytes, vtable_ + sizeof(voffset_t), kMostFieldOffset);
    }
    if (old_file.size() > FLATBUFFERS_MAX_BUFFER_SIZE - 1 - result.bytes.size()) {
      return {"with the plan the file would pass 2 GB", {}};
    }
    result.bytes.insert(result.bytes.end(), old_file.begin(), old_file.end());
    return result;
  }

 private:
  // Nobody knows what it is, so its bytes stay where they are and the new list of fields points at them.
  struct UnknownField {
    std::size_t entry;
    std::size_t old_position;
  };

  static void Set16(std::vector<std::byte>& bytes, std::size_t at, std::size_t value) {
    const auto word = static_cast<voffset_t>(value);
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }

  bool Has(voffset_t entry) const {
    if (entry == Model::VT_BUFFERS) return true;
    if (entry == Model::VT_METADATA) return rewriting_.plan.has_value() || !rewriting_.kept_metadata.empty();
    return old_.table().CheckField(entry);
  }

  void PutRoot(std::size_t root) {
    const auto end = static_cast<voffset_t>(std::max<std::size_t>(old_.field_entry_end(), kBehindKnownFields));
    vtable_ = front_.position();
    front_.Put(end);
    voffset_t next = sizeof(flatbuffers::soffset_t);
    const std::size_t size_at = front_.Put(voffset_t{0});
    for (voffset_t entry = kFirstFieldEntry; entry < end; entry = static_cast<voffset_t>(entry + sizeof entry)) {
      const bool known = entry < kBehindKnownFields;
      const std::size_t at = front_.Put(known && Has(entry) ? next : voffset_t{0});
      if (known && Has(entry)) next = static_cast<voffset_t>(next + sizeof(std::uint32_t));
      if (!known && old_.table().CheckField(entry)) {
        const std::size_t position = old_.PositionOf(&old_.table()) + old_.table().GetOptionalFieldOffset(entry);
        unknown_.push_back({at, position});
      }
    }
    front_.Set(size_at, next);
    front_.Align(sizeof(std::uint32_t));
    table_ = front_.Put(static_cast<std::int32_t>(front_.position() - vtable_));
    front_.SetReference(root, table_);
    for (voffset_t entry = kFirstFieldEntry; entry < kBehindKnownFields;
         entry = static_cast<voffset_t>(entry + sizeof entry)) {
      if (!Has(entry)) continue;
      if (entry == Model::VT_VERSION) {
        front_.Put(old_.root().version());
      } else if (entry == Model::VT_BUFFERS) {
        buffers_ = front_.PutReference();
      } else if (entry == Model::VT_METADATA) {
        metadata_ = front_.PutReference();
      } else {
        front_.PutOldReference(old_.PositionOf(old_.table().GetPointer<const std::uint8_t*>(entry)));
      }
    }
  }

  // A table of two fields of four bytes at most: the list of fields in front, then the table, whose position it
  // returns and whose `words` are put by the caller.
  std::size_t StartTable(std::size_t words) {
    front_.Align(sizeof(std::uint32_t));
    const std::size_t vtable = front_.position();
    front_.Put(static_cast<voffset_t>(kFirstFieldEntry + words * sizeof(voffset_t)));
    front_.Put(static_cast<voffset_t>((1 + words) * sizeof(std::uint32_t)));
    for (std::size_t i = 0; i < words; ++i) front_.Put(static_cast<voffset_t>((1 + i) * sizeof(std::uint32_t)));
    front_.Align(sizeof(std::uint32_t));
    return front_.Put(static_cast<std::int32_t>(front_.position() - vtable));
  }

  void PutBuffers() {
    front_.SetReference(buffers_, front_.Put(static_cast<std::uint32_t>(rewriting_.buffer_count)));
    std::optional<std::size_t> plan, empty;
    for (std::size_t i = 0; i < rewriting_.buffer_count; ++i) {
      if (i == rewriting_.plan_buffer) {
        plan = front_.PutReference();
      } else if (i >= old_.buffer_count()) {
        empty = front_.PutReference();  // the first one, of a model that has none
      } else {
        const auto index = static_cast<flatbuffers::uoffset_t>(i);
        front_.PutOldReference(old_.PositionOf(old_.root().buffers()->Get(index)));
      }
    }
    if (empty) front_.SetReference(*empty, StartTable(0));
    if (!plan) return;
    if (!rewriting_.plan) {
      front_.SetReference(*plan, StartTable(0));
      return;
    }
    front_.SetReference(*plan, StartTable(1));
    const std::size_t data = front_.PutReference();
    constexpr std::size_t kCountBytes = sizeof(std::uint32_t);
    front_.Align(kModelAlignment, kModelAlignment - kCountBytes);
    front_.SetReference(data, front_.Put(static_cast<std::uint32_t>(rewriting_.plan->size())));
    front_.PutBytes(*rewriting_.plan);
  }

  void PutMetadata() {
    front_.Align(sizeof(std::uint32_t));
    const std::size_t count = rewriting_.kept_metadata.size() + (rewriting_.plan ? 1 : 0);
    front_.SetReference(*metadata_, front_.Put(static_cast<std::uint32_t>(count)));
    for (const std::size_t i : rewriting_.kept_metadata) {
      front_.PutOldReference(old_.PositionOf(old_.root().metadata()->Get(static_cast<flatbuffers::uoffset_t>(i))));
    }
    if (!rewriting_.plan) return;
    const std::size_t entry = front_.PutReference();
    front_.SetReference(entry, StartTable(2));
    const std::size_t name = front_.PutReference();
    front_.Put(static_cast<std::uint32_t>(*rewriting_.plan_buffer));
    front_.SetReference(name, front_.Put(static_cast<std::uint32_t>(kOfflinePlanName.size())));
    front_.PutBytes(std::as_bytes(std::span(kOfflinePlanName)));
    front_.Put('\0');
  }

  const OldModel& old_;
  const Rewriting& rewriting_;
  FrontWriter front_;
  std::size_t vtable_ = 0, table_ = 0;
  std::size_t buffers_ = 0;  // the root's reference to the list
  std::optional<std::size_t> metadata_;
  std::vector<UnknownField> unknown_;
};

Rewriting KeepingOtherMetadata(const ModelView& model, const OldModel& old) {
  Rewriting rewriting;
  rewriting.buffer_count = model.buffer_count();
  rewriting.plan_buffer = old.PlansOwnBuffer();
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    if (!old.IsPlan(i)) rewriting.kept_metadata.push_back(i);
  }
  return rewriting;
}

}  // namespace

RewrittenModel EmbedPlan(const ModelView& model, std::span<const std::int32_t> offsets) {
  const OldModel old(model);
  Rewriting rewriting = KeepingOtherMetadata(model, old);
  rewriting.plan.emplace(OfflinePlanBytes(offsets.size()));
  EncodeOfflinePlan({.version = 1, .subgraph_count = static_cast<std::uint32_t>(model.subgraph_count())}, offsets,
                    *rewriting.plan);
  if (!rewriting.plan_buffer) {
    rewriting.plan_buffer = std::max<std::size_t>(rewriting.buffer_count, 1);
    rewriting.buffer_count = *rewriting.plan_buffer + 1;
  }
  return Front(old, rewriting).Write(model.bytes());
}

RewrittenModel StripPlan(const ModelView& model) {
  const OldModel old(model);
  Rewriting rewriting = KeepingOtherMetadata(model, old);
  if (rewriting.plan_buffer && *rewriting.plan_buffer + 1 == rewriting.buffer_count) {
    --rewriting.buffer_count;
    rewriting.plan_buffer.reset();
  }
  return Front(old, rewriting).Write(model.bytes());
}

}  // namespace arenaproof
