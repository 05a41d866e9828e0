#include "os/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <string_view>

namespace grapnel::os {

// The linker stores the build id as a note in the file: a header, a name ("GNU") and the id, each padded to four bytes.
// The notes are loaded into memory with the code, so nothing needs to be opened. This code may be in a shared library,
// so the right object is the one whose loaded segments contain this function.

namespace {

size_t padded(size_t size) {
  return (size + 3) & ~size_t{3};
}

/// The build id among the notes of one segment, or "".
std::string find_id(std::string_view notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    const auto* head = reinterpret_cast<const ElfW(Nhdr)*>(notes.data());
    const size_t name_at = sizeof *head;
    const size_t id_at = name_at + padded(head->n_namesz);
    const size_t end = id_at + padded(head->n_descsz);
    if (end > notes.size()) break;
    const bool is_it = head->n_type == NT_GNU_BUILD_ID && notes.substr(name_at).starts_with("GNU");
    if (is_it) return std::string(notes.substr(id_at, head->n_descsz));
    notes.remove_prefix(end);
  }
  return "";
}

/// The address to look for, and the result.
struct Search {
  uintptr_t inside;
  std::string id;
};

/// Called for each loaded object; a result other than 0 ends the search.
int look_at(dl_phdr_info* object, size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool is_ours = false;
  std::string id;
  for (size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD) is_ours |= search.inside >= start && search.inside - start < part.p_memsz;
    if (part.p_type == PT_NOTE && id.empty()) id = find_id({reinterpret_cast<const char*>(start), part.p_memsz});
  }
  if (is_ours) search.id = std::move(id);
  return is_ours ? 1 : 0;
}

}  // namespace

std::string build_id() {
  Search search{reinterpret_cast<uintptr_t>(&build_id), ""};
  ::dl_iterate_phdr(look_at, &search);
  return std::move(search.id);
}

}  // namespace grapnel::os
