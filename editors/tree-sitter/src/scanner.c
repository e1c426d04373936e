// What the grammar alone cannot know: which line ends are semicolons, and which words are names where both could stand.
// The rules are those of `compiler/syntax/lexer.rs`; `tests/tree_sitter.rs` compares them.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

// In the order of `externals` in grammar.js.
enum Token {
  LINE_END,
  LINE_MAY_END,
  LINE_GOES_ON,
  AWAIT,
  ATOMIC,
  SWITCH,
  FAIR,
  COUNT,
  SUM,
  AFTER,
  PREFIX,
  UNTIL,
  PATH,
  LINEAR,
  BRANCHING,
  END_OF_LETTERS,
  ERROR,
};

// Which letters are operators: the state of the scanner.
enum Letters { NONE, LTL, CTL };

void *tree_sitter_sandal_external_scanner_create(void) { return ts_calloc(1, 1); }

void tree_sitter_sandal_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_sandal_external_scanner_serialize(void *payload, char *buffer) {
  buffer[0] = *(char *)payload;
  return 1;
}

void tree_sitter_sandal_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  *(char *)payload = length > 0 ? buffer[0] : NONE;
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

static bool begins_word(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

// Longer words have no meaning.
#define LONGEST 16

// Reads a word, of which what does not fit is left out.
static void read_word(TSLexer *lexer, char word[LONGEST]) {
  int length = 0;
  while (begins_word(lexer->lookahead) || is_digit(lexer->lookahead)) {
    if (length < LONGEST - 1) word[length++] = (char)lexer->lookahead;
    advance(lexer);
  }
  word[length] = 0;
}

static bool is_one_of(const char *word, const char *const words[]) {
  for (int i = 0; words[i]; i++) {
    if (strcmp(word, words[i]) == 0) return true;
  }
  return false;
}

// Whether a word is reserved, so that it is no name.
static bool is_keyword(const char *word) {
  static const char *const keywords[] = {
      "data", "const", "module", "proc", "process", "var", "durable", "if", "else", "for", "in", "range", "to", "break",
      "continue", "goto", "return", "skip", "choice", "select", "case", "default", "send", "recv", "peek", "timeout_send",
      "nonblock_send", "timeout_recv", "timeout_peek", "nonblock_recv", "nonblock_peek", "assert", "init", "channel", "true",
      "false", "any", "ltl", "ctl", "invariant", "reachable", "assume", "forall", "exists", "import", NULL};
  return is_one_of(word, keywords);
}

// Goes over a comment behind its `/`, which has been read; whether there was one. `line_ended` if a line ends in it.
static bool pass_comment(TSLexer *lexer, bool *line_ended) {
  if (lexer->lookahead == '/') {
    while (lexer->lookahead != '\n' && !lexer->eof(lexer)) advance(lexer);
    return true;
  }
  if (lexer->lookahead != '*') return false;
  advance(lexer);
  int32_t before = 0;
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    advance(lexer);
    if (before == '*' && c == '/') break;
    if (c == '\n') *line_ended = true;
    before = c;
  }
  return true;
}

// Goes to the next token, over line ends and comments; whether it is no `/`.
static bool pass_blanks(TSLexer *lexer) {
  bool line_ended;
  for (;;) {
    if (is_blank(lexer->lookahead) || lexer->lookahead == '\n') {
      advance(lexer);
    } else if (lexer->lookahead == '/') {
      advance(lexer);
      if (!pass_comment(lexer, &line_ended)) return false;
    } else {
      return true;
    }
  }
}

// Whether what comes next goes on with the line before.
static bool continues_line(TSLexer *lexer) {
  if (!pass_blanks(lexer)) return false;
  if (lexer->eof(lexer)) return true;
  int32_t c = lexer->lookahead;
  if (c == ')' || c == ']' || c == '}' || c == ',' || c == ';') return true;
  static const char *const words[] = {"else", "case", "default", NULL};
  char word[LONGEST];
  read_word(lexer, word);
  return is_one_of(word, words);
}

// Whether the next token is an operator of assignment, a closing bracket, or something else that may follow a name at the
// beginning of a statement.
static bool follows_name(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  if (lexer->eof(lexer)) return true;
  if (c && strchr("[,:;)]}", (char)c)) return true;
  advance(lexer);
  int32_t next = lexer->lookahead;
  if (c == '.') return next != '.';
  if (c == '=') return next != '=' && next != '>';
  if (c == '+' && next == '+') return true;
  if (c && strchr("+-*/%&|^", (char)c)) return next == '=';
  if ((c == '<' || c == '>') && next == c) {
    advance(lexer);
    return lexer->lookahead == '=';
  }
  return false;
}

// Whether an expression begins with the next token, so that `await` before it is no name.
static bool begins_operand(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  if (c == '!') {
    advance(lexer);
    return lexer->lookahead != '=';
  }
  if (!begins_word(c)) return is_digit(c) || c == '(';
  static const char *const operands[] = {"true",         "false",        "forall",       "exists",       "send",
                                         "recv",         "peek",         "timeout_send", "nonblock_send", "timeout_recv",
                                         "timeout_peek", "nonblock_recv", "nonblock_peek", NULL};
  char word[LONGEST];
  read_word(lexer, word);
  return !is_keyword(word) || is_one_of(word, operands);
}

// Whether `i in` or `i, j in` comes next.
static bool names_follow(TSLexer *lexer) {
  char word[LONGEST];
  for (;;) {
    while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') advance(lexer);
    if (!begins_word(lexer->lookahead)) return false;
    read_word(lexer, word);
    while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') advance(lexer);
    if (lexer->lookahead != ',') break;
    advance(lexer);
  }
  read_word(lexer, word);
  return strcmp(word, "in") == 0;
}

// The operator that a word is among the letters of formulas, or ERROR.
static enum Token letter(const char *word, enum Letters letters) {
  static const char *const ltl_prefix[] = {"X", "G", "F", "Y", "Z", "H", "O", NULL};
  static const char *const ltl_until[] = {"U", "V", "S", "T", NULL};
  static const char *const ctl_prefix[] = {"AX", "AG", "AF", "EX", "EG", "EF", NULL};
  static const char *const ctl_path[] = {"A", "E", NULL};
  static const char *const ctl_until[] = {"U", NULL};
  if (letters == LTL && is_one_of(word, ltl_prefix)) return PREFIX;
  if (letters == LTL && is_one_of(word, ltl_until)) return UNTIL;
  if (letters == CTL && is_one_of(word, ctl_prefix)) return PREFIX;
  if (letters == CTL && is_one_of(word, ctl_path)) return PATH;
  if (letters == CTL && is_one_of(word, ctl_until)) return UNTIL;
  return ERROR;
}

// Whether a word that has been read is what it may be here: what follows decides.
static bool is_meant(TSLexer *lexer, enum Token token) {
  if (token == COUNT || token == SUM) return names_follow(lexer);
  if (!pass_blanks(lexer)) return token == SWITCH;
  static const char *const choices[] = {"choice", "select", NULL};
  char word[LONGEST];
  switch (token) {
    case AWAIT:
      return begins_operand(lexer);
    case ATOMIC:
      return lexer->lookahead == '{';
    case SWITCH:
      return !follows_name(lexer);
    case FAIR:
      read_word(lexer, word);
      return is_one_of(word, choices);
    case AFTER:
      if (!begins_word(lexer->lookahead)) return is_digit(lexer->lookahead) || lexer->lookahead == '-';
      read_word(lexer, word);
      return !is_keyword(word);
    default:
      // A letter: not before `.` and `@`, but before `..`.
      if (lexer->lookahead == '@') return false;
      if (lexer->lookahead != '.') return true;
      advance(lexer);
      return lexer->lookahead == '.';
  }
}

// A word that is a name elsewhere, if it is none here.
static bool scan_word(TSLexer *lexer, const bool *valid, enum Letters letters) {
  static const struct {
    const char *word;
    enum Token token;
  } words[] = {{"await", AWAIT}, {"atomic", ATOMIC}, {"switch", SWITCH}, {"fair", FAIR},
               {"count", COUNT}, {"sum", SUM},       {"after", AFTER},   {NULL, ERROR}};
  char word[LONGEST];
  read_word(lexer, word);
  lexer->mark_end(lexer);
  enum Token token = ERROR;
  for (int i = 0; words[i].word; i++) {
    if (valid[words[i].token] && strcmp(word, words[i].word) == 0) token = words[i].token;
  }
  // In their blocks letters are operators wherever an operand or an operator may stand, even a wrong one.
  if (token == ERROR && (valid[COUNT] || valid[UNTIL])) token = letter(word, letters);
  if (token == ERROR || !is_meant(lexer, token)) return false;
  lexer->result_symbol = token;
  return true;
}

bool tree_sitter_sandal_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  char *letters = payload;
  bool after_error = valid[ERROR];
  if (!after_error) {
    enum Token change = valid[LINEAR] ? LINEAR : valid[BRANCHING] ? BRANCHING : valid[END_OF_LETTERS] ? END_OF_LETTERS : ERROR;
    if (change != ERROR) {
      lexer->mark_end(lexer);
      *letters = change == LINEAR ? LTL : change == BRANCHING ? CTL : NONE;
      lexer->result_symbol = change;
      return true;
    }
  }
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  // What was parsed before an edit is taken over in large pieces, and then it is not known with which token one ends. So wherever
  // semicolons can stand a line end is one, too; behind brackets that open and behind commas, where it is none, it does no harm.
  bool may_end = valid[LINE_MAY_END] || (valid[LINE_END] && !valid[LINE_GOES_ON]);
  if (may_end && (lexer->lookahead == '\n' || lexer->lookahead == '/')) {
    lexer->result_symbol = LINE_END;
    lexer->mark_end(lexer);
    bool line_ended = lexer->lookahead == '\n';
    if (line_ended) {
      while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') advance(lexer);
      lexer->mark_end(lexer);
    } else {
      // A comment is a token of its own; but if a line ends in it, the semicolon is before, once.
      if (!valid[LINE_MAY_END]) return false;
      advance(lexer);
      bool block = lexer->lookahead == '*';
      if (!block || !pass_comment(lexer, &line_ended) || !line_ended) return false;
    }
    return !continues_line(lexer);
  }
  while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') lexer->advance(lexer, true);
  return begins_word(lexer->lookahead) && scan_word(lexer, valid, *letters);
}
