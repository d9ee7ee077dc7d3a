/* SPDX-License-Identifier: MIT */
/* What the manual's examples in C++ share: a device, and arrays on it that own their buffers. */
#ifndef CLFOLD_MANUAL_PRELUDE_HPP
#define CLFOLD_MANUAL_PRELUDE_HPP

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.hpp>

#include <cstdio>
#include <memory>
#include <vector>

struct device {
    cl_device_id id = nullptr;
    cl_context cl = nullptr;
    cl_command_queue queue = nullptr;
    device()
    {
        cl_platform_id platform;
        if (clGetPlatformIDs(1, &platform, nullptr) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr))
            throw std::runtime_error("no OpenCL device");
        cl = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
        queue = clCreateCommandQueue(cl, id, 0, nullptr);
    }
    device(const device &) = delete;
    ~device()
    {
        clReleaseCommandQueue(queue);
        clReleaseContext(cl);
    }
};

/* Elements on the device, which convert to clfold::array<T>, as a cl::Buffer does. */
template <class T> class on_device
{
  public:
    on_device(const device &d, std::vector<T> data)
        : queue_(d.queue), size_(data.size()),
          mem_(clCreateBuffer(d.cl, CL_MEM_COPY_HOST_PTR, size_ * sizeof(T), data.data(), nullptr), clReleaseMemObject)
    {
    }
    cl_mem get() const
    {
        return mem_.get();
    }
    clfold::array<T> operator*() const
    {
        return *this;
    }
    std::vector<T> read() const
    {
        std::vector<T> data(size_);
        clEnqueueReadBuffer(queue_, get(), CL_TRUE, 0, size_ * sizeof(T), data.data(), 0, nullptr, nullptr);
        return data;
    }

  private:
    cl_command_queue queue_;
    std::size_t size_;
    std::shared_ptr<std::remove_pointer_t<cl_mem>> mem_;
};
#endif
