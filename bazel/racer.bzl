"""Macros that give every target of the project the same warnings."""

_COPTS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wswitch"]

def racer_cc_library(name, copts = [], features = [], **kwargs):
    native.cc_library(name = name, copts = _COPTS + copts, features = features + ["layering_check"], **kwargs)

def racer_cc_binary(name, copts = [], features = [], **kwargs):
    native.cc_binary(name = name, copts = _COPTS + copts, features = features + ["layering_check"], **kwargs)

def racer_cc_test(name, copts = [], features = [], deps = [], **kwargs):
    native.cc_test(name = name, copts = _COPTS + copts, features = features + ["layering_check"], deps = deps + ["@googletest//:gtest_main"], **kwargs)
