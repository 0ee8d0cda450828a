#pragma once

#include "trammel/expression/parser.h"
#include "trammel/sweep/measure.h"

namespace trammel::sweep {

/// The language of expressions, in which names outside of reductions are those of measures, and inside those of recorded columns.
class MeasureParser final : public expression::Parser {
 public:
  MeasureParser(const expression::Source& source, std::span<const Column> columns, std::vector<std::string> measures);

  const std::vector<AskedColumn>& columns() const { return asked_; }
  const std::vector<Measure::Reduced>& reductions() const { return reduced_; }

 private:
  Operand name() override;
  Operand measure();
  Operand column();
  const Column* find_column(const std::string& name) const;
  [[noreturn]] void refuse_column(const expression::Token& token) const;
  Operand reduction(const NamedReduction& which);
  double percentage();
  bool has_one_argument() const;
  int number_of(const AskedColumn& asked);

  std::span<const Column> recorded_;
  std::vector<std::string> measures_;
  std::vector<AskedColumn> asked_;
  std::vector<Measure::Reduced> reduced_;
  bool inside_ = false;
};

}  // namespace trammel::sweep
