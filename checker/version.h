// The version that racer reports everywhere.
#ifndef RACER_CHECKER_VERSION_H_
#define RACER_CHECKER_VERSION_H_

namespace racer {

inline constexpr char kRacerVersion[] = "0.1.0";

}  // namespace racer

#endif  // RACER_CHECKER_VERSION_H_
