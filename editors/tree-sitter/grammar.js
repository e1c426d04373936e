// The grammar of Sandal for tree-sitter. It takes what `compiler/syntax/grammar.lalrpop` takes, rule for rule where that is
// possible; what a token is depends on its neighbours in a few places, and there `src/scanner.c` decides.

/// <reference types="tree-sitter-cli/dsl" />

// A line end is a semicolon after some tokens. Behind each of them the scanner must know that it is one of those: there this token
// would be valid, which is never found. Nor is `_line_goes_on`, which is valid where a semicolon could stand but a line end is none.
const last = ($, token) => seq(token, optional($._line_may_end));

/** Elements with a comma between them, and perhaps one at the end. */
const commas = (rule) => optional(seq(rule, repeat(seq(",", rule)), optional(",")));

/** Elements with a comma between them, at least one, and none at the end. */
const row = (rule) => seq(rule, repeat(seq(",", rule)));

/** Elements with semicolons or line ends between them; any of them may be missing. */
const lines = ($, rule) => seq(optional(rule), repeat(seq($._end, optional(rule))));

/** Elements with commas, semicolons or line ends between them. */
const entries = ($, rule) =>
  seq(
    repeat($._end),
    optional(seq(rule, repeat(seq($._between, rule)), optional($._between))),
  );

/** The binary operators, loosest first: what they are called, what stands between, and which side may have them again. */
const LEVELS = [
  ["iff", ["<->"], "left"],
  ["implies", ["->"], "right"],
  ["or", ["||"], "left"],
  ["and", ["&&"], "left"],
  ["until_formula", ($) => $._until, "until"],
  ["comparison", ["==", "!=", "<", "<=", ">", ">="], "left"],
  ["term", ["+", "-", "|", "^"], "left"],
  ["factor", ["*", "/", "%", "<<", ">>", "&"], "left"],
];

/**
 * The expressions, twice: a literal of a record, `Entry{..}`, cannot stand before a block. `ladder("")` has literals, and
 * `ladder("_head")` has none. In brackets of any kind it is always the one with literals.
 */
function ladder(kind) {
  const rules = {};
  const at = (name) => ($) => $[`_${name}${kind}`];
  const unary = at("unary");
  LEVELS.forEach(([name, operators, side], level) => {
    const next = LEVELS[level + 1];
    const tighter = next ? at(next[0]) : unary;
    const operator = ($) => {
      if (!Array.isArray(operators)) return alias(operators($), $.temporal_operator);
      return operators.length === 1 ? operators[0] : choice(...operators);
    };
    // A formula with a temporal prefix stands beside comparisons, so `G x == 1` is `G (x == 1)`.
    const operand = side === "until" ? at("temporal") : tighter;
    rules[`_${name}${kind}`] = ($) => choice(alias($[`_${name}_binary${kind}`], $.binary_expression), ...also($), operand($));
    rules[`_${name}_binary${kind}`] = ($) =>
      seq(
        field("left", side === "left" ? at(name)($) : operand($)),
        field("operator", operator($)),
        field("right", side === "left" ? operand($) : at(name)($)),
      );
    function also($) {
      return name === "comparison" ? [alias($[`_is${kind}`], $.is_expression)] : [];
    }
  });
  rules[`_is${kind}`] = ($) => seq(field("left", at("comparison")($)), "is", field("constructor", $.constructor));
  rules[`_temporal${kind}`] = ($) => choice($[`_prefixed${kind}`], at("comparison")($));
  rules[`_prefixed${kind}`] = ($) =>
    choice(
      alias($[`_prefixed_temporal${kind}`], $.temporal_expression),
      alias($[`_prefixed_not${kind}`], $.unary_expression),
      $.path_expression,
    );
  rules[`_prefixed_temporal${kind}`] = ($) =>
    seq(field("operator", alias($._prefix, $.temporal_operator)), field("operand", at("temporal")($)));
  rules[`_prefixed_not${kind}`] = ($) => seq(field("operator", "!"), field("operand", $[`_prefixed${kind}`]));
  rules[`_unary${kind}`] = ($) => choice(alias($[`_unary_operator${kind}`], $.unary_expression), at("postfix")($));
  rules[`_unary_operator${kind}`] = ($) => seq(field("operator", choice("!", "-")), field("operand", unary($)));

  const postfix = at("postfix");
  rules[`_postfix${kind}`] = ($) =>
    choice(
      alias($[`_field${kind}`], $.field_expression),
      alias($[`_method${kind}`], $.call_expression),
      alias($[`_index${kind}`], $.index_expression),
      alias($[`_at${kind}`], $.at_expression),
      ...(kind === "" ? [alias($._literal_of, $.literal_expression), $.literal_expression] : []),
      $._primary,
    );
  rules[`_field${kind}`] = ($) =>
    seq(field("base", postfix($)), ".", field("field", $._name), optional(seq("#", $._number)));
  rules[`_method${kind}`] = ($) =>
    seq(field("base", postfix($)), ".", field("function", $._name), field("arguments", $.arguments));
  rules[`_index${kind}`] = ($) => seq(field("base", postfix($)), "[", field("index", $._expression), $._close_bracket);
  rules[`_at${kind}`] = ($) =>
    seq(field("base", postfix($)), "@", field("label", $._name), optional(seq("(", commas($._expression), $._close_paren)));
  return rules;
}

module.exports = grammar({
  name: "sandal",

  word: ($) => $.identifier,

  extras: ($) => [/[ \t\r\f\n]/, $.comment],

  externals: ($) => [
    $._line_end,
    $._line_may_end,
    $._line_goes_on,
    // Words that are names elsewhere, and what follows decides.
    $._await,
    $._atomic,
    $._switch,
    $._fair,
    $._count,
    $._sum,
    $._after,
    // The letters of formulas, operators only in their blocks.
    $._prefix,
    $._until,
    $._path,
    $._linear,
    $._branching,
    $._end_of_letters,
    // Never valid, unless tree-sitter goes on after an error.
    $._error,
  ],

  // What nothing can be called; other words are names where the grammar has no place for them.
  reserved: {
    global: ($) => [
      "data", "const", "module", "proc", "process", "var", "durable", "if", "else", "for", "in", "range", "to", "break",
      "continue", "goto", "return", "skip", "choice", "select", "case", "default", "send", "recv", "peek", "timeout_send",
      "nonblock_send", "timeout_recv", "timeout_peek", "nonblock_recv", "nonblock_peek", "assert", "init", "channel", "true",
      "false", "any", "ltl", "ctl", "invariant", "reachable", "assume", "forall", "exists", "import",
    ],
  },

  supertypes: ($) => [$._declaration, $._statement, $._type],

  rules: {
    source_file: ($) => lines($, $._declaration),

    // ---- Tokens ----

    comment: () => token(choice(/\/\/[^\n]*/, /\/\*([^*]|\*+[^*/])*\*+\//)),
    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    number: () => /[0-9]+/,
    string: () => /"[^"\n\r]*"/,
    probability: () => /[0-9]+\.[0-9]+([eE]-[0-9]+)?|[0-9]+[eE]-[0-9]+/,
    true: () => "true",
    false: () => "false",

    _name: ($) => last($, $.identifier),
    _number: ($) => last($, $.number),
    _close_paren: ($) => last($, ")"),
    _close_bracket: ($) => last($, "]"),
    _close_brace: ($) => last($, "}"),
    _end: ($) => choice(";", $._line_end),
    _between: ($) => choice(repeat1($._end), seq(repeat($._end), ",", repeat($._end))),

    // A definition, of another file with the name of that before it.
    _qualified: ($) => seq($._name, optional(seq(".", $._name))),

    // ---- Declarations ----

    _declaration: ($) =>
      choice(
        $.import_declaration,
        $.data_declaration,
        $.type_declaration,
        $.const_declaration,
        $.proc_declaration,
        $.func_declaration,
        $.predicate_declaration,
        $.module_declaration,
        $.init_declaration,
        $.limit_declaration,
        $.inject_declaration,
        $.fault_declaration,
        $.specification,
        $.protocol_declaration,
        $.view_declaration,
        $.diagnosable_declaration,
      ),

    import_declaration: ($) => seq("import", field("path", last($, $.string))),
    data_declaration: ($) => seq("data", field("name", $._name), "{", commas($.constructor_declaration), $._close_brace),
    constructor_declaration: ($) => seq(field("name", $._name), optional(field("fields", $.parameters))),
    type_declaration: ($) =>
      seq(
        "type",
        field("name", $._name),
        choice(seq("=", field("type", $._type)), seq("struct", field("fields", $.struct_fields))),
      ),
    struct_fields: ($) => seq("{", lines($, $.parameter), $._close_brace),
    const_declaration: ($) =>
      seq("const", field("name", $._name), optional(field("type", $._type)), "=", field("value", $._expression)),
    proc_declaration: ($) =>
      seq("proc", field("name", $._name), field("parameters", $.parameters), field("body", $.block)),
    func_declaration: ($) =>
      seq(
        "func",
        field("name", $._name),
        field("parameters", $.parameters),
        optional(field("result", $._type)),
        field("body", $.block),
      ),
    predicate_declaration: ($) =>
      seq(
        "predicate",
        field("name", $._name),
        field("parameters", $.parameters),
        "{",
        field("body", $._expression),
        $._close_brace,
      ),
    module_declaration: ($) =>
      seq("module", field("name", $._name), field("parameters", $.parameters), field("body", $.module_body)),
    module_body: ($) => seq("{", lines($, $._declaration), $._close_brace),

    parameters: ($) => seq("(", commas($.parameter), $._close_paren),
    parameter: ($) => seq(field("name", $._name), field("type", $._type)),

    // ---- Entries of init ----

    init_declaration: ($) => seq("init", field("body", $.entries)),
    entries: ($) => seq("{", entries($, $._entry), $._close_brace),
    _entry: ($) => choice($.instance_entry, $.channel_entry, $.for_entry),
    instance_entry: ($) =>
      seq(
        field("name", $.entry_name),
        ":",
        field("callee", $.callee),
        field("arguments", alias($._expressions, $.arguments)),
        repeat($.marker),
      ),
    callee: ($) => $._qualified,
    _expressions: ($) => seq("(", commas($._expression), $._close_paren),
    channel_entry: ($) =>
      seq(
        field("name", $.entry_name),
        ":",
        field("type", choice($.channel_type, $.array_type, alias($.callee, $.named_type))),
        repeat($.marker),
      ),
    for_entry: ($) => seq("for", $._over_range, field("body", $.entries)),
    entry_name: ($) => seq($._name, optional(seq("[", field("index", $._expression), $._close_bracket))),

    marker: ($) =>
      seq(
        "@",
        field("name", alias($.callee, $.marker_name)),
        optional(seq("(", commas($._marker_argument), $._close_paren)),
        optional(seq("as", field("alias", $._name))),
      ),
    _marker_argument: ($) => choice($.named_argument, $._expression, $.range),
    named_argument: ($) =>
      seq(field("name", $._name), "=", field("value", choice($._expression, last($, $.probability)))),
    range: ($) => seq(field("from", $._expression), "..", field("to", $._expression)),

    limit_declaration: ($) =>
      seq("limit", field("bound", $._head), "{", commas($.limit_item), $._close_brace),
    limit_item: ($) => seq($._target, optional($.marker)),

    inject_declaration: ($) => seq("inject", "{", lines_or_commas($, $.inject_item), $._close_brace),
    inject_item: ($) =>
      seq(choice(field("target", $._target), seq("[", commas(field("target", $._target)), $._close_bracket)), $.marker),

    // A channel, an instance, one of several, one of a module.
    _target: ($) =>
      choice($.name_expression, alias($._target_field, $.field_expression), alias($._target_index, $.index_expression)),
    _target_field: ($) => seq(field("base", $._target), ".", field("field", $._name)),
    _target_index: ($) => seq(field("base", $._target), "[", field("index", $._expression), $._close_bracket),

    // ---- Faults ----

    fault_declaration: ($) =>
      seq(
        "fault",
        field("name", $._name),
        field("parameters", alias($.fault_parameters, $.parameters)),
        "on",
        choice(last($, "process"), "channel"),
        field("body", $.joins),
      ),
    fault_parameters: ($) => seq("(", commas(choice($.parameter, alias($.fault_parameter, $.parameter))), $._close_paren),
    fault_parameter: ($) => seq(field("name", $._name), choice("var", "const")),
    joins: ($) => seq("{", lines($, $.join), $._close_brace),
    join: ($) =>
      seq(
        field("word", $._name),
        optional(field("trigger", $.trigger)),
        optional(seq("if", field("condition", $._head))),
        field("body", $.block),
      ),
    trigger: ($) => seq(choice($._name, "send", "recv"), optional(seq("(", commas($._name), $._close_paren))),

    // ---- Specifications ----

    specification: ($) =>
      choice(
        seq(choice("invariant", "reachable", "unreachable", "tolerant"), ...specified($), "{", $._formulas, $._close_brace),
        seq(choice("ltl", "assume"), ...specified($), "{", $._linear, $._formulas, "}", $._end_of_letters, optional($._line_may_end)),
        seq("ctl", ...specified($), "{", $._branching, $._formulas, "}", $._end_of_letters, optional($._line_may_end)),
      ),
    tolerated: ($) => seq("to", row($._postfix_head), optional(seq(field("how", $._name), field("level", $._name)))),
    _formulas: ($) => seq($._expression, repeat(seq($._end, optional($._expression)))),

    protocol_declaration: ($) =>
      seq(
        "protocol",
        choice(
          seq("complete", field("name", $._name)),
          field("name", $._name),
          field("name", alias("complete", $.identifier)),
        ),
        optional(seq("for", $._over_range)),
        "on",
        row(field("on", $._target)),
        field("body", $.block),
      ),

    view_declaration: ($) => seq("view", field("of", $._target), "{", commas($._expression), $._close_brace),
    diagnosable_declaration: ($) =>
      seq(
        "diagnosable",
        field("fault", $._postfix_head),
        "by",
        field("process", $._postfix_head),
        optional(seq("as", "{", commas($._expression), $._close_brace)),
      ),

    // ---- Types ----

    _type: ($) => choice($.named_type, $.range_type, $.process_type, $.channel_type, $.array_type),
    named_type: ($) => $._qualified,
    range_type: ($) => seq(field("from", $._bound), "..", field("to", $._bound)),
    process_type: ($) => last($, "process"),
    array_type: ($) => seq("[", optional(field("length", $._expression)), $._close_bracket, field("element", $._type)),
    channel_type: ($) =>
      seq(
        "channel",
        optional("bag"),
        optional(seq("[", optional(field("capacity", $._expression)), $._close_bracket)),
        "{",
        commas($._message_field),
        $._close_brace,
        optional(last($, "overflow")),
      ),
    // A field of a message, which may have a name.
    _message_field: ($) => choice($._type, $.message_field),
    message_field: ($) =>
      seq(
        field("name", $._name),
        field("type", choice($.named_type, alias($.field_range, $.range_type), $.process_type, $.channel_type, $.array_type)),
      ),
    // A named field's type does not begin with `-`: that would be a subtraction.
    field_range: ($) => seq(field("from", $._field_bound), "..", field("to", $._bound)),
    _field_bound: ($) => choice(alias($._field_bound_sum, $.binary_expression), $._field_bound_factor),
    _field_bound_sum: ($) =>
      seq(field("left", $._field_bound), field("operator", choice("+", "-")), field("right", $._bound_product)),
    _field_bound_factor: ($) => choice(alias($._field_bound_product, $.binary_expression), $._bound_atom),
    _field_bound_product: ($) =>
      seq(field("left", $._field_bound_factor), field("operator", "*"), field("right", $._bound_unary)),
    // Whole expressions as bounds would make `var x a [n]..` ambiguous.
    _bound: ($) => choice(alias($._bound_sum, $.binary_expression), $._bound_product),
    _bound_sum: ($) =>
      seq(field("left", $._bound), field("operator", choice("+", "-")), field("right", $._bound_product)),
    _bound_product: ($) => choice(alias($._bound_times, $.binary_expression), $._bound_unary),
    _bound_times: ($) => seq(field("left", $._bound_product), field("operator", "*"), field("right", $._bound_unary)),
    _bound_unary: ($) => choice(alias($._bound_minus, $.unary_expression), $._bound_atom),
    _bound_minus: ($) => seq(field("operator", "-"), field("operand", $._bound_unary)),
    _bound_atom: ($) =>
      choice(
        $._number,
        $.name_expression,
        alias($._bound_field, $.field_expression),
        alias($._bound_paren, $.parenthesized_expression),
      ),
    _bound_field: ($) => seq(field("base", $._name), ".", field("field", $._name)),
    _bound_paren: ($) => seq("(", $._bound, $._close_paren),

    // ---- Statements ----

    block: ($) => seq("{", lines($, $._statement), $._close_brace),

    _statement: ($) =>
      choice(
        alias($.const_declaration, $.const_statement),
        $.var_statement,
        $.assignment_statement,
        $.if_statement,
        $.block,
        $.for_statement,
        $.break_statement,
        $.continue_statement,
        $.goto_statement,
        $.labeled_statement,
        $.return_statement,
        $.skip_statement,
        $.choice_statement,
        $.select_statement,
        $.fair_statement,
        $.assert_statement,
        $.atomic_statement,
        $.await_statement,
        $.switch_statement,
        $.expression_statement,
      ),

    var_statement: ($) =>
      seq(
        optional("durable"),
        "var",
        field("name", $._name),
        field("type", $._type),
        optional(seq("=", field("value", $._expression))),
      ),
    assignment_statement: ($) =>
      seq(
        row(field("left", $._head)),
        field("operator", choice("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")),
        row(field("right", $._expression)),
      ),
    if_statement: ($) =>
      seq(
        "if",
        field("condition", $._head),
        field("consequence", $.block),
        optional(seq("else", field("alternative", choice($.block, $.if_statement)))),
      ),
    for_statement: ($) =>
      seq("for", optional(choice(field("condition", $._head), $._over_array, $._over_range)), field("body", $.block)),
    _over_array: ($) => seq(field("variable", $._name), "in", field("array", $._head)),
    _over_range: ($) =>
      seq(field("variable", $._name), "in", "range", field("from", $._expression), "to", field("to", $._head)),
    break_statement: ($) => last($, "break"),
    continue_statement: ($) => last($, "continue"),
    goto_statement: ($) => seq("goto", field("label", $._name)),
    labeled_statement: ($) => seq(field("label", $._name), ":", optional(choice($._statement, $._line_goes_on))),
    return_statement: ($) => seq(last($, "return"), optional($._expression)),
    skip_statement: ($) => last($, "skip"),
    choice_statement: ($) => seq("choice", row($.block)),
    fair_statement: ($) => seq(alias($._fair, "fair"), choice($.choice_statement, $.select_statement)),
    assert_statement: ($) => seq("assert", "(", field("condition", $._expression), $._close_paren),
    atomic_statement: ($) => seq(alias($._atomic, "atomic"), field("body", $.block)),
    await_statement: ($) => seq(alias($._await, "await"), field("condition", $._expression)),
    expression_statement: ($) => $._head,

    select_statement: ($) => seq("select", field("body", $.select_body)),
    select_body: ($) => seq("{", repeat(choice($._end, $._select_item)), $._close_brace),
    _select_item: ($) => choice($.select_case, $.for_case, $.default_case),
    select_case: ($) =>
      seq(
        "case",
        choice(
          seq(
            choice("timeout", seq(alias($._after, "after"), $._head), $.message_expression, $.call_expression),
            optional(seq("if", field("condition", $._head))),
          ),
          seq("if", field("condition", $._head)),
        ),
        field("body", $.block),
      ),
    for_case: ($) => seq("for", choice($._over_array, $._over_range), field("body", $.select_body)),
    default_case: ($) => seq("default", field("body", $.block)),

    switch_statement: ($) => seq(alias($._switch, "switch"), field("subject", $._head), field("body", $.switch_body)),
    switch_body: ($) => seq("{", repeat(choice($._end, $.switch_case, $.default_case)), $._close_brace),
    switch_case: ($) => seq("case", row(field("value", $._head)), field("body", $.block)),

    // ---- Expressions ----

    _expression: ($) => $._iff,
    _head: ($) => $._iff_head,
    ...ladder(""),
    ...ladder("_head"),

    path_expression: ($) =>
      seq(field("operator", alias($._path, $.temporal_operator)), "(", field("operand", $._expression), $._close_paren),

    _primary: ($) =>
      choice(
        $._number,
        last($, $.true),
        last($, $.false),
        $.name_expression,
        alias($._numbered, $.numbered_name),
        $.parenthesized_expression,
        $.array_expression,
        $.any_expression,
        $.message_expression,
        $.call_expression,
        $.group_expression,
        $.quantified_expression,
      ),
    name_expression: ($) => $._name,
    _numbered: ($) => seq($._name, "#", $._number),
    parenthesized_expression: ($) => seq("(", $._expression, $._close_paren),
    array_expression: ($) => seq("[", commas($._expression), $._close_bracket),
    any_expression: ($) =>
      seq(last($, "any"), optional(seq("(", choice($.range, commas($._expression)), $._close_paren))),
    message_expression: ($) =>
      seq(
        field(
          "operation",
          choice(
            "send", "recv", "peek", "timeout_send", "nonblock_send", "timeout_recv", "timeout_peek", "nonblock_recv",
            "nonblock_peek",
          ),
        ),
        field("arguments", $.arguments),
      ),
    call_expression: ($) => seq(field("function", $._name), field("arguments", $.arguments)),
    // `K(p: e)`: what somebody knows.
    group_expression: ($) =>
      seq(field("function", $._name), "(", commas($._argument), ":", field("body", $._expression), $._close_paren),
    arguments: ($) => seq("(", commas($._argument), $._close_paren),
    // An argument may be a pattern.
    _argument: ($) => choice($._expression, $.equal_pattern),
    equal_pattern: ($) => seq("==", $._expression),

    literal_expression: ($) => seq(field("type", $._name), field("fields", $.literal_fields)),
    _literal_of: ($) => seq(field("base", $._postfix), ".", field("type", $._name), field("fields", $.literal_fields)),
    literal_fields: ($) => seq("{", commas(choice($._expression, $.literal_field)), $._close_brace),
    literal_field: ($) => seq(field("name", $._name), ":", field("value", $._expression)),

    quantified_expression: ($) =>
      seq(
        field("quantifier", choice("forall", "exists", alias($._count, "count"), alias($._sum, "sum"))),
        row(field("variable", $._name)),
        "in",
        "range",
        field("from", $._expression),
        "to",
        field("to", $._head),
        "{",
        field("body", $._expression),
        $._close_brace,
      ),

    // `A`, `D.A`, `file.D.A`
    constructor: ($) => seq($._name, optional(seq(".", $._name, optional(seq(".", $._name))))),
  },
});

/** What may stand between the word of a specification and its brace. */
function specified($) {
  return [optional(field("name", $._name)), optional(field("tolerated", $.tolerated))];
}

/** Elements each with a comma, semicolon or line end behind it; any of them may be missing. */
function lines_or_commas($, rule) {
  return seq(optional(rule), repeat(seq(choice(",", $._end), optional(rule))));
}
