# SPDX-License-Identifier: MIT
class Clfold < Formula
  desc "Parallel primitives for OpenCL with the caller's own operator"
  homepage "https://clfold.example"
  url "https://clfold.example/releases/download/v0.1.0/clfold-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cmake" => :build

  on_linux do
    depends_on "opencl-headers" => [:build, :test]
    depends_on "opencl-icd-loader"
    depends_on "pocl"
  end

  def install
    args = %w[-DCLFOLD_TESTS=OFF -DCLFOLD_PEERS=OFF -DCLFOLD_BENCH=ON -DCLFOLD_INSTALL=ON -DCLFOLD_MPI=OFF]
    system "cmake", "-S", ".", "-B", "build", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/clfold-info --version")
    (testpath/"test.c").write <<~C
      #include <clfold/clfold.h>
      int main(void)
      {
          return clf_version() != CLFOLD_VERSION_MAJOR * 10000 + CLFOLD_VERSION_MINOR * 100 + CLFOLD_VERSION_PATCH;
      }
    C
    opencl = OS.mac? ? ["-framework", "OpenCL"] : ["-lOpenCL"]
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lclfold", *opencl, "-o", "test"
    system "./test"
  end
end
