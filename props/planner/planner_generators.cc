#include "props/planner/planner_generators.h"

#include "engine/generators/reach_report.h"
#include "props/support/draws.h"

namespace arenaproof::testing {

std::ostream& operator<<(std::ostream& stream, const BufferRequest& request) {
  stream << "{" << request.bytes << ", " << request.first << ", " << request.last;
  if (request.offline_offset != kOnline) stream << ", " << request.offline_offset;
  return stream << "}";
}

}  // namespace arenaproof::testing

namespace arenaproof {

std::ostream& operator<<(std::ostream& stream, const PlacedBuffer& buffer) {
  return stream << "{" << buffer.offset << ", " << buffer.bytes << ", " << buffer.first << ", " << buffer.last << ", "
                << (buffer.trusted ? "true" : "false") << "}";
}

}  // namespace arenaproof

namespace arenaproof::testing {
namespace {

using rc::gen::inRange;

rc::Gen<std::int32_t> FirstScope() {
  return rc::gen::weightedOneOf<std::int32_t>({{5, inRange<std::int32_t>(0, 12)}, {1, rc::gen::just(-1)}});
}

rc::Gen<BufferRequest> Request(std::size_t granule, rc::Gen<std::int64_t> offline_granules) {
  return rc::gen::map(rc::gen::tuple(rc::gen::weightedOneOf<std::size_t>({{2, inRange<std::size_t>(0, 3)},
                                                                          {6, inRange<std::size_t>(0, 12)},
                                                                          {2, inRange<std::size_t>(0, 400)},
                                                                          {1, Reach()}}),
                                     FirstScope(), inRange<std::int32_t>(0, 6), std::move(offline_granules)),
                      [granule](const std::tuple<std::size_t, std::int32_t, std::int32_t, std::int64_t>& parts) {
                        const auto [granules, first, duration, offline] = parts;
                        const std::int64_t offset =
                            offline == kOnline ? kOnline : offline * static_cast<std::int64_t>(granule);
                        CountReach("granules of a buffer", granules);
                        return BufferRequest{granules * granule, first, first + duration, offset};
                      });
}

}  // namespace

rc::Gen<std::vector<BufferRequest>> OnlineRequests(std::size_t granule) {
  return rc::gen::container<std::vector<BufferRequest>>(Request(granule, rc::gen::just(kOnline)));
}

rc::Gen<std::vector<BufferRequest>> MixedRequests(std::size_t granule) {
  return rc::gen::container<std::vector<BufferRequest>>(
      Request(granule, rc::gen::weightedOneOf<std::int64_t>({{12, rc::gen::just(kOnline)},
                                                             {5, inRange<std::int64_t>(0, 60)},
                                                             {1, rc::gen::cast<std::int64_t>(Reach())}})));
}

rc::Gen<std::vector<BufferRequest>> ExtremeRequests() {
  // Parts of the address space that sums of a few reach and pass.
  const auto large = rc::gen::map(rc::gen::tuple(inRange<std::size_t>(1, 5), inRange<std::size_t>(0, 40)),
                                  [](const std::tuple<std::size_t, std::size_t>& parts) {
                                    return SIZE_MAX / std::get<0>(parts) - std::get<1>(parts);
                                  });
  const auto bytes = rc::gen::weightedOneOf<std::size_t>({{12, inRange<std::size_t>(0, 40)}, {1, large}});
  const auto offset = rc::gen::weightedOneOf<std::int64_t>(
      {{16, rc::gen::just(kOnline)},
       {6, inRange<std::int64_t>(0, 200)},
       {1, rc::gen::map(inRange<std::int64_t>(0, 200), [](std::int64_t below) { return INT64_MAX - below; })},
       {1, rc::gen::element<std::int64_t>(-2, -64, INT32_MIN, INT64_MIN)}});
  return rc::gen::scale(0.4, rc::gen::container<std::vector<BufferRequest>>(rc::gen::map(
                                 rc::gen::tuple(bytes, FirstScope(), inRange<std::int32_t>(0, 6), offset),
                                 [](const std::tuple<std::size_t, std::int32_t, std::int32_t, std::int64_t>& parts) {
                                   const auto [size, first, duration, fixed] = parts;
                                   return BufferRequest{size, first, first + duration, fixed};
                                 })));
}

rc::Gen<std::vector<PlacedBuffer>> ArbitraryPlan() {
  const auto plan = [](bool flawed) {
    // A flaw in one of four buffers.
    return rc::gen::container<std::vector<PlacedBuffer>>(
        rc::gen::map(rc::gen::tuple(inRange<std::size_t>(0, 200), inRange<std::size_t>(0, 12), FirstScope(),
                                    inRange<std::int32_t>(0, 4), inRange(0, 3), inRange(0, 8)),
                     [flawed](const std::tuple<std::size_t, std::size_t, std::int32_t, std::int32_t, int, int>& parts) {
                       const auto [offset, bytes, first, duration, trust, flaw] = parts;
                       PlacedBuffer buffer{offset, bytes, first, first + duration, trust == 2};
                       if (flawed && flaw == 7) buffer.offset = kUnplaced;
                       if (flawed && flaw == 6) buffer.last = first - 1 - duration;
                       return buffer;
                     }));
  };
  return rc::gen::weightedOneOf<std::vector<PlacedBuffer>>({{2, plan(false)}, {1, plan(true)}});
}

}  // namespace arenaproof::testing
