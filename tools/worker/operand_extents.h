// How far invokes really read and wrote: the lowest and the highest byte, of each operand of each operator.
#pragma once

#include <nlohmann/json.hpp>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/instrument/access_instrument.h"
#include "tools/kernel_library/chosen_kernels.h"

namespace arenaproof {

// Fields of the event "extents". Accesses without right count: those charged to an operand as before, after or inside
// it. Operators that the instrument sees nothing of are left out.
nlohmann::json ExtentFields(const ModelView& model, const AccessInstrument& instrument, const Interpreter& interpreter,
                            const ChosenKernels& kernels);

}  // namespace arenaproof
