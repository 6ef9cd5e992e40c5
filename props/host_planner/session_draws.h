// Draws of sessions. A session shrinks by leaving out draws and by making their numbers smaller.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "engine/cases/planner_session.h"

namespace arenaproof::testing {

inline rc::Gen<std::uint8_t> AnyByte() {
  return rc::gen::cast<std::uint8_t>(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int>(0, 256)));
}

inline rc::Gen<std::vector<SessionDraw>> SessionDraws(std::size_t most) {
  const auto draw = rc::gen::construct<SessionDraw>(AnyByte(), AnyByte(), AnyByte(), AnyByte());
  return rc::gen::resize(static_cast<int>(most), rc::gen::container<std::vector<SessionDraw>>(draw));
}

}  // namespace arenaproof::testing
