#include "tools/worker/job_message.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace arenaproof {
namespace {

constexpr std::size_t kMostBytes = 1 << 16;  // of the words of one check
constexpr std::size_t kMostDescriptors = 3;

// Where the kernel puts descriptors.
struct alignas(cmsghdr) Control {
  std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> bytes{};
};

// `part`: the words; `control`, of so many bytes: the descriptors.
msghdr MessageOf(iovec& part, Control& control, std::size_t control_bytes) {
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control_bytes;
  return message;
}

template <typename Call>
ssize_t WhileInterrupted(Call call) {
  ssize_t count = 0;
  while ((count = call()) < 0 && errno == EINTR) {
  }
  return count;
}

std::vector<std::string> WordsIn(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return words;
}

}  // namespace

bool SendJob(int socket, const Job& job) {
  std::string text;
  for (const std::string& word : job.words) text.append(word).push_back('\0');
  if (text.size() > kMostBytes) return false;
  const std::array<int, kMostDescriptors> descriptors = {job.result, job.diagnostics, job.board};
  const std::size_t bytes = (job.board < 0 ? 2 : 3) * sizeof(int);
  Control control;
  iovec part = {text.data(), text.size()};
  const msghdr message = MessageOf(part, control, CMSG_SPACE(bytes));
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(bytes);
  std::memcpy(CMSG_DATA(header), descriptors.data(), bytes);
  return WhileInterrupted([&] { return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT); }) ==
         static_cast<ssize_t>(text.size());
}

std::optional<Job> ReceiveJob(int socket) {
  std::string text(kMostBytes, '\0');
  Control control;
  iovec part = {text.data(), text.size()};
  msghdr message = MessageOf(part, control, control.bytes.size());
  const ssize_t count = WhileInterrupted([&] { return recvmsg(socket, &message, MSG_CMSG_CLOEXEC); });
  const cmsghdr* const header = count > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS || header->cmsg_len < CMSG_LEN(2 * sizeof(int))) return {};
  std::array<int, kMostDescriptors> descriptors = {-1, -1, -1};
  std::memcpy(descriptors.data(), CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  Job job;
  job.words = WordsIn(std::string_view(text).substr(0, static_cast<std::size_t>(count)));
  job.result = descriptors[0];
  job.diagnostics = descriptors[1];
  job.board = descriptors[2];
  return job;
}

bool SendProcess(int socket, pid_t process) {
  return WhileInterrupted([&] { return send(socket, &process, sizeof process, MSG_NOSIGNAL); }) == sizeof process;
}

ReceivedProcess ReceiveProcess(int socket) {
  pid_t process = -1;
  const ssize_t count = WhileInterrupted([&] { return recv(socket, &process, sizeof process, MSG_DONTWAIT); });
  if (count == sizeof process && process > 0) return {true, process};
  return {count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK), -1};
}

}  // namespace arenaproof
