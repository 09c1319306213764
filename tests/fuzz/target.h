#pragma once

#include <cstddef>
#include <cstdint>

// What a fuzz target consists of, for libFuzzer and for replay.cc alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
