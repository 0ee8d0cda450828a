#include "trammel/scenario/node.h"

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/node/node.h>  // that which parser.h declares
#include <yaml-cpp/parser.h>

#include "trammel/expression/source.h"
#include "trammel/scenario/text.h"

namespace trammel::scenario {
namespace {

using expression::shown;

constexpr int deepest = 32, most_values = 100'000;

// Where yaml-cpp's marks (lines and bytes from 0) are in the text (lines and characters from 1).
class Places {
 public:
  Places(std::string_view text, const std::string& file) : text_(text), file_(file), begins_{0} {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') begins_.push_back(i + 1);
  }

  std::string_view behind(const YAML::Mark& mark) const {
    if (mark.line < 0 || mark.line >= static_cast<int>(begins_.size())) return {};
    return text_.substr(std::min(begins_[mark.line] + mark.column, text_.size()));
  }
  Place place(const YAML::Mark& mark) const {
    if (mark.line < 0 || mark.line >= static_cast<int>(begins_.size())) return Place{file_};
    // counted on from the last one, which usually stands before it in the same line: long lines stay cheap
    if (mark.line != line_ || mark.column < column_) {
      line_ = mark.line;
      column_ = characters_ = 0;
    }
    const std::size_t begin = begins_[line_] + column_;
    const std::size_t size = std::min<std::size_t>(mark.column - column_, text_.size() - std::min(begin, text_.size()));
    characters_ += character_count(text_.substr(std::min(begin, text_.size()), size));
    column_ = mark.column;
    return {file_, mark.line + 1, characters_ + 1};
  }

 private:
  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> begins_;  // of the lines
  mutable int line_ = 0, column_ = 0, characters_ = 0;
};

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t\r\n,]}")); }

// Of a text that begins with a quote. yaml-cpp takes the end of the file for one.
bool is_closed_quote(std::string_view text) {
  const char quote = text[0];
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool escaped = quote == '"' && text[i] == '\\';
    const bool doubled = quote == '\'' && text.substr(i).starts_with("''");
    if (escaped || doubled)
      ++i;
    else if (text[i] == quote)
      return true;
  }
  return false;
}

// Builds the tree from yaml-cpp's events.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Places& places) : places_(places) {}

  Node root;
  int documents = 0;

  /// Where the innermost list or map began that is not complete.
  const Place* innermost_open() const { return open_.empty() ? nullptr : &open_.back().place; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents > 1) throw Error(places_.place(mark), "a second document", "one scenario a file");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    // its mark is that of what comes next
    const bool is_value = !open_.empty() && open_.back().kind == Node::Kind::map && !expects_key();
    add(Node{.place = is_value ? open_.back().keys.back().place : places_.place(mark)});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { refuse_anchor(mark, anchor); }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_anchor(mark, 1); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    Node node{.kind = Node::Kind::text, .place = places_.place(mark), .text = value};
    node.text_place = node.place;
    std::string_view written = places_.behind(mark);
    if (tag == "!" && (written.starts_with('"') || written.starts_with('\''))) {
      if (!is_closed_quote(written))
        throw Error(node.place, "a quote without its end", fmt::format("{0}…{0}", written[0]));
      written.remove_prefix(1);
      ++node.text_place.column;
    }
    if (!written.starts_with(value) || value.find('\n') != std::string::npos) node.text_place.column = 0;
    for (const char c : value)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
        throw Error(node.place, "a control character in a text", "text on one line");
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override {
    close();
    seen_.pop_back();
  }

 private:
  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != 0)
      throw Error(places_.place(mark),
                  fmt::format("the YAML anchor or alias {}", shown(first_word(places_.behind(mark)))),
                  "values written out, or constants");
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag != "" && tag != "?" && tag != "!")
      throw Error(places_.place(mark), fmt::format("the YAML tag {}", shown(first_word(places_.behind(mark)))),
                  "values without tags");
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().kind == Node::Kind::map &&
           open_.back().keys.size() == open_.back().items.size();
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    const Place place = places_.place(mark);
    count(place);
    if (expects_key()) throw Error(place, "a key that is not a word", "keys such as name, robot, constraints");
    if (static_cast<int>(open_.size()) >= deepest)
      throw Error(place, fmt::format("more than {} levels of nesting", deepest), "fewer");
    open_.push_back(Node{.kind = kind, .place = place});
    if (kind == Node::Kind::map) seen_.emplace_back();
  }

  void close() {
    Node node = std::move(open_.back());
    open_.pop_back();
    attach(std::move(node));
  }

  void count(const Place& place) {
    if (++values_ > most_values) throw Error(place, fmt::format("more than {} values", most_values), "fewer");
  }

  void add(Node node) {
    count(node.place);
    if (!expects_key()) return attach(std::move(node));
    if (node.kind != Node::Kind::text)
      throw Error(node.place, "a key that is not a word", "keys such as name, robot, constraints");
    if (!seen_.back().insert(node.text).second)
      throw Error(node.place, fmt::format("a second key {}", shown(node.text)), "each key once");
    open_.back().keys.push_back({std::move(node.text), std::move(node.place)});
  }

  void attach(Node node) {
    if (open_.empty())
      root = std::move(node);
    else
      open_.back().items.push_back(std::move(node));
  }

  const Places& places_;
  std::vector<Node> open_;
  std::vector<std::unordered_set<std::string>> seen_;  // keys of each open map
  int values_ = 0;
};

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].text == key) return &items[i];
  return nullptr;
}

const Place& Node::key_place(std::string_view key) const {
  return std::ranges::find_if(keys, [&](const Key& k) { return k.text == key; })->place;
}

namespace {

// The reader of YAML says what it missed, not what the author did.
Error plain_words(const YAML::Exception& problem, const Places& places, const TreeBuilder& builder,
                  std::string_view text) {
  const Place place = places.place(problem.mark);
  const std::string_view line = line_of(text, place.line);
  const std::size_t indentation = line.find_first_not_of(' ');
  if (indentation != std::string_view::npos && line[indentation] == '\t')
    return {Place{place.file, place.line, static_cast<int>(indentation) + 1}, "a tab as indentation", "spaces"};
  if (places.behind(problem.mark).starts_with('*'))
    return {place, fmt::format("the YAML alias {}", shown(first_word(places.behind(problem.mark)))),
            "values written out, or constants"};
  const Place* open = builder.innermost_open();
  const bool flow = problem.msg.find("flow not found") != std::string::npos;
  if (flow && open != nullptr)
    return {place, fmt::format("no end of the list or map that begins at {}:{}", open->line, open->column),
            "a comma between its items, and ] or } behind them"};
  return {place, fmt::format("text that is no YAML ({})", problem.msg),
          "a space behind each colon, the keys of a map one below the other, quotes around texts with : # , [ ] { }"};
}

void refuse_directive(std::string_view text, const std::string& file) {
  for (int line = 1; !text.empty(); ++line) {
    if (text.starts_with('%')) throw Error(Place{file, line, 1}, "a line that begins with '%'", "# before a comment");
    if (!text.starts_with('#') && !text.starts_with('\n') && !text.starts_with('\r')) return;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& file) {
  check_text(text, file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  refuse_directive(text, file);
  const Places places(text, file);
  TreeBuilder builder(places);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& problem) {
    throw plain_words(problem, places, builder, text);
  }
  if (builder.root.place.line == 0) builder.root.place = Place{file, 1, 1};
  return std::move(builder.root);
}

}  // namespace trammel::scenario
