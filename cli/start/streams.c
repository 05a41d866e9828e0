/* grapnel-engine does without std::cout and its seven siblings, and so without making them ready.
 *
 * yaml-cpp includes <iostream> eleven times, and each time has them made before main(): 44,000 instructions for streams
 * that nobody writes to. Here is what it calls, in place of libstdc++'s own. A program that does use one of them does
 * not link (CMakeLists.txt). */

void _ZNSt8ios_base4InitC1Ev(void* unused) { /* std::ios_base::Init::Init() */
  (void)unused;
}

void _ZNSt8ios_base4InitD1Ev(void* unused) { /* std::ios_base::Init::~Init() */
  (void)unused;
}
