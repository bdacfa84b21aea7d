// Wine before 9.0 lacks a library of Windows that every Go program asks for random bytes. This is that library, on top of
// the older function that does the same. Only .ci/run uses it, under Wine; it is not part of quatuor.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
  while (length > 0) {
    ULONG part = length > 1 << 20 ? 1 << 20 : (ULONG)length;
    if (!SystemFunction036(data, part)) return FALSE;
    data += part;
    length -= part;
  }
  return TRUE;
}
