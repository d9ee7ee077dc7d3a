/* SPDX-License-Identifier: MIT */
/* Arrays counted by the compiler. With POINTER, ADDRESS or MEMORY defined it must not compile. */
#include <clfold/clfold.h>

int main(void)
{
    const cl_command_queue queue = NULL;
    clf_array one = {NULL, 0}, three[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    const clf_array fixed = one, two[] = {one, one};
#if defined(POINTER)
    const clf_array *pointer = three;
    return CLF_ON_ARRAYS(queue, pointer, one)->in_count != 0;
#elif defined(ADDRESS)
    return CLF_ON_ARRAYS(queue, one, &one)->in_count != 0;
#elif defined(MEMORY)
    cl_mem memory[4] = {NULL, NULL, NULL, NULL};
    return CLF_ARRAY_COUNT(memory) != 2;
#else
    return !(CLF_ON_ARRAYS(queue, one, three)->in_count == 1 && CLF_ON_ARRAYS(queue, fixed, three)->out_count == 3 &&
             CLF_ON_ARRAYS(queue, one, two)->size == sizeof(clf_call) && CLF_ARRAY_COUNT(two) == 2 &&
             CLF_ON(queue)->in_count == 0);
#endif
}
