#include "tools/model/tensor_file.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/model/tensor_bytes.h"
#include "tools/model/model_file.h"
#include "tools/model/npy_file.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

struct NamedFile {
  std::size_t position;
  std::string path;
};

// The digits in front of the colon, or nothing.
std::optional<std::string> PositionOf(const std::string& word) {
  const std::size_t colon = word.find(':');
  std::string digits = word.substr(0, colon);
  if (colon == std::string::npos || digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return digits;
}

// The tensor whose name and a colon the word begins with. Names may have colons: the longest one counts.
std::optional<NamedFile> FileByName(const std::string& word, const ModelView& model, const TensorFileOption& option) {
  std::optional<NamedFile> found;
  std::size_t length = 0;
  for (std::size_t i = 0; i < option.tensors.size(); ++i) {
    const std::string_view name = model.tensor(0, static_cast<std::size_t>(option.tensors[i])).name;
    if (name.empty() || name.size() < length + 1 || !word.starts_with(std::string(name) + ":")) continue;
    length = name.size();
    found = NamedFile{i, word.substr(length + 1)};
  }
  return found;
}

std::string ReadWord(const std::string& word, const ModelView& model, const TensorFileOption& option, NamedFile* file) {
  const std::string said = std::string(option.name) + "=" + word, what = option.what;
  if (const std::optional<std::string> digits = PositionOf(word)) {
    const std::size_t position = digits->size() > 6 ? SIZE_MAX : std::stoul(*digits);
    if (position >= option.tensors.size()) {
      return said + " names " + what + " " + *digits + "; the model has " + std::to_string(option.tensors.size()) +
             ", counted from 0";
    }
    *file = {position, word.substr(digits->size() + 1)};
  } else if (const std::optional<NamedFile> named = FileByName(word, model, option)) {
    *file = *named;
  } else if (option.first_by_default && !option.tensors.empty()) {
    *file = {0, word};
  } else {
    return said + " is not of the form INDEX:FILE, such as 0:image.bin, and names no " + what + " of the model";
  }
  return file->path.empty() ? said + " names no file; INDEX:FILE would be right" : std::string();
}

// The file's first bytes, at most so many, and its size.
std::string ReadStart(const std::string& path, std::size_t most, std::vector<std::byte>* bytes, std::size_t* size) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff end = file.tellg();
  if (end < 0) return "'" + path + "' is of no known size";
  *size = static_cast<std::size_t>(end);
  bytes->resize(std::min(*size, most));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  return file ? std::string() : "'" + path + "' cannot be read to its end";
}

// `what`: "input 0".
std::string ReadValues(const std::string& path, const TensorView& tensor, const std::string& what,
                       std::vector<std::byte>* values) {
  std::size_t count = 0;
  if (!TensorArenaBytes(tensor, &count).ok()) return what + " is too large to be read from a file";
  const std::string right = "it has to hold the " + Counted(static_cast<long long>(count), "byte") + " of " + what;
  if (std::string problem = CannotRead(path, right); !problem.empty()) return problem;
  const bool npy = path.ends_with(".npy");
  std::size_t size = 0;
  std::string problem = ReadStart(path, count + (npy ? kMostNpyHeaderBytes : 0), values, &size);
  if (!problem.empty()) return problem + "; " + right;
  if (npy) {
    NpyHeader header;
    problem = ReadNpyHeader(*values, &header);
    if (problem.empty()) problem = WhyNotOfTensor(header, tensor.type, tensor.shape);
    if (!problem.empty()) return "'" + path + "' is not for " + what + ": " + problem;
    values->erase(values->begin(), values->begin() + static_cast<std::ptrdiff_t>(header.data_offset));
    size -= header.data_offset;
  }
  if (size == count) return {};
  return "'" + path + "' has " + Counted(static_cast<long long>(size), "byte") + (npy ? " behind its header" : "") +
         "; " + right;
}

}  // namespace

std::string ReadTensorFiles(const std::vector<std::string>& words, const ModelView& model,
                            const TensorFileOption& option, ValuesByPosition* bytes) {
  for (const std::string& word : words) {
    NamedFile file;
    if (std::string problem = ReadWord(word, model, option, &file); !problem.empty()) return problem;
    const std::string what = std::string(option.what) + " " + std::to_string(file.position);
    const auto [place, is_new] = bytes->try_emplace(file.position);
    if (!is_new) return what + " is given twice";
    const TensorView tensor = model.tensor(0, static_cast<std::size_t>(option.tensors[file.position]));
    if (std::string problem = ReadValues(file.path, tensor, what, &place->second); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace arenaproof
