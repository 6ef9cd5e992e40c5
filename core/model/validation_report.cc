#include "core/model/validation_report.h"

namespace arenaproof {

const char* UnsupportedFeatureName(UnsupportedFeature feature) {
  switch (feature) {
    case UnsupportedFeature::kSparseTensor:
      return "sparse tensor";
    case UnsupportedFeature::kExternalBuffer:
      return "tensor data in another file";
    case UnsupportedFeature::kBufferOutsideFile:
      return "buffer data behind the flatbuffer";
    case UnsupportedFeature::kQuantizationDetails:
      return "custom, blockwise or multi-axis quantisation";
    case UnsupportedFeature::kLargeCustomOptions:
      return "custom options behind the flatbuffer";
  }
  return "unknown feature";
}

void ValidationReport::AddUnsupported(UnsupportedKind kind, std::int32_t value, std::string_view name,
                                      std::size_t subgraph, std::size_t index) {
  ++occurrence_count_;
  for (std::size_t i = 0; i < item_count_; ++i) {
    UnsupportedItem& item = items_[i];
    if (item.kind == kind && item.value == value && item.name == name) {
      ++item.count;
      return;
    }
  }
  if (item_count_ == kMaxItems) {
    ++omitted_count_;
    return;
  }
  items_[item_count_++] =
      UnsupportedItem{kind, value, name, 1, static_cast<std::uint32_t>(subgraph), static_cast<std::uint32_t>(index)};
}

}  // namespace arenaproof
