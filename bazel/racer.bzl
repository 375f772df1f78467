"""Macros that give every target of the project the same warnings."""

_COPTS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wswitch"]

def racer_cc_library(name, copts = [], features = [], **kwargs):
    native.cc_library(name = name, copts = _COPTS + copts, features = features + ["layering_check"], **kwargs)

def racer_cc_binary(name, copts = [], features = [], **kwargs):
    native.cc_binary(name = name, copts = _COPTS + copts, features = features + ["layering_check"], **kwargs)

def racer_cc_test(name, copts = [], features = [], deps = [], **kwargs):
    native.cc_test(name = name, copts = _COPTS + copts, features = features + ["layering_check"], deps = deps + ["@googletest//:gtest", "@googletest//:gtest_main"], **kwargs)

def racer_cc_fuzz_test(name, runs = 20000, max_len = 4096, corpus = [], copts = [], features = [], deps = [], **kwargs):
    """A fuzz target: srcs define LLVMFuzzerTestOneInput.

    As a test it feeds a fixed number of inputs, the same ones every time, made from the corpus by the driver of
    //tools/fuzz. Built with --config=fuzz it is a libFuzzer binary instead (tools/fuzz.sh).

    Args:
      name: of the target
      runs: how many inputs the test tries
      max_len: of an input, in bytes
      corpus: files to start from
      copts: as of cc_test
      features: as of cc_test
      deps: as of cc_test
      **kwargs: as of cc_test
    """
    native.cc_test(
        name = name,
        copts = _COPTS + copts,
        features = features + ["layering_check"],
        deps = deps + select({"//bazel:fuzz": [], "//conditions:default": ["//tools/fuzz:driver"]}),
        data = corpus,
        args = ["-runs=%d" % runs, "-seed=1", "-max_len=%d" % max_len] + ["$(locations %s)" % c for c in corpus],
        **kwargs
    )
