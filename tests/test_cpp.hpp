/* SPDX-License-Identifier: MIT */
/* What the tests of clfold.hpp share: a device, arrays on it that own their buffers, and counted checks. */
#ifndef TEST_CPP_HPP
#define TEST_CPP_HPP

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.hpp>

#include <vector>

struct world {
    cl_device_id device;
    cl_context cl;
    cl_command_queue queue;
    clfold::context context;
};

/* Made at the first use; ends the program where there is no device. */
world &the_world();

/* Counts, and says so if it is false. Returns `good`. */
bool check(bool good, const char *what, const char *file, int line);
#define CHECK(good) check((good), #good, __FILE__, __LINE__)

/* A call that succeeds: fails the test, with the library's words, if it does not. */
clfold::call on_queue();
bool succeeded(clf_status status, const char *what, const char *file, int line);
#define RUN(call) succeeded((call), #call, __FILE__, __LINE__)
/* The same, and then this buffer holds what the last argument says. */
#define GIVES(buffer, call, ...) (RUN(call), CHECK(((buffer).read() == (__VA_ARGS__))))

/* An array on the device, as an object that wraps a cl_mem in the way of cl::Buffer. */
template <class T> class buffer
{
  public:
    explicit buffer(const std::vector<T> &data) : size_(data.size())
    {
        const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        std::vector<T> copy = data;
        copy.resize(size_ ? size_ : 1);
        mem_ = clCreateBuffer(the_world().cl, flags, copy.size() * sizeof(T), copy.data(), nullptr);
    }
    explicit buffer(std::size_t size) : buffer(std::vector<T>(size)) {}
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    ~buffer() { clReleaseMemObject(mem_); }
    const cl_mem &operator()() const
    {
        return mem_;
    }
    clfold::array<T> array() const { return *this; }
    std::vector<T> read() const
    {
        std::vector<T> data(size_);
        if (size_)
            CHECK(clEnqueueReadBuffer(the_world().queue, mem_, CL_TRUE, 0, size_ * sizeof(T), data.data(), 0, nullptr,
                                      nullptr) == CL_SUCCESS);
        return data;
    }

  private:
    std::size_t size_;
    cl_mem mem_;
};

/* Small numbers in no order, many of them alike. */
template <class T> std::vector<T> some(std::size_t n, unsigned below)
{
    std::vector<T> data(n);
    unsigned x = 1;
    for (T &one : data) {
        x = x * 1664525 + 1013904223;
        one = static_cast<T>((x >> 8) % below);
    }
    return data;
}

void test_one_call();
void test_plans();
#endif
