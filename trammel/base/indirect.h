#pragma once

#include <utility>

namespace trammel {

/// A T that stands elsewhere, or none: copied and destroyed with its holder, as a member would be. T is complete where one is made; where
/// it is held, copied and destroyed it need not be: a header that holds one does not show it.
template <class T>
class Indirect {
 public:
  Indirect() = default;
  Indirect(const Indirect& other)
      : object_(other.object_ ? other.copy_(other.object_) : nullptr), copy_(other.copy_), destroy_(other.destroy_) {}
  Indirect(Indirect&& other) noexcept { swap(other); }
  Indirect& operator=(Indirect other) noexcept {
    swap(other);
    return *this;
  }
  ~Indirect() {
    if (object_) destroy_(object_);
  }

  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    Indirect made;
    made.object_ = new T(std::forward<Arguments>(arguments)...);
    made.copy_ = [](const T* object) { return new T(*object); };
    made.destroy_ = [](T* object) { delete object; };
    swap(made);
    return *object_;
  }

  explicit operator bool() const { return object_; }
  T& operator*() { return *object_; }
  const T& operator*() const { return *object_; }
  T* operator->() { return object_; }
  const T* operator->() const { return object_; }

 private:
  void swap(Indirect& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(copy_, other.copy_);
    std::swap(destroy_, other.destroy_);
  }

  T* object_ = nullptr;
  T* (*copy_)(const T*) = nullptr;
  void (*destroy_)(T*) = nullptr;
};

}  // namespace trammel
