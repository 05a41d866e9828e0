# Writes the files of examples/rules into a source file, so that `grapnel init` has them without looking for files.
# cmake -D OUT=jobs.cc -D ROOT=examples/rules -D JOBS="a b" -P embed.cmake
separate_arguments(JOBS)
set(rows "")
foreach(job IN LISTS JOBS)
  file(GLOB_RECURSE files RELATIVE ${ROOT}/${job}/.agents ${ROOT}/${job}/.agents/*)
  list(SORT files)
  foreach(file IN LISTS files)
    file(READ ${ROOT}/${job}/.agents/${file} text)
    string(APPEND rows "    {\"${job}\", \"${file}\", R\"%%(${text})%%\"},\n")
  endforeach()
endforeach()
file(WRITE ${OUT}.new "// Written by cmake/embed.cmake from examples/rules.
#include \"cli/init/job_files.h\"

namespace grapnel::cli {

namespace {

constexpr JobFile kJobFiles[] = {
${rows}};

}  // namespace

std::span<const JobFile> job_files() {
  return kJobFiles;
}

}  // namespace grapnel::cli
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
