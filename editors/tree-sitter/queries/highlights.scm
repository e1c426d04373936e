; What is of which colour. No node is captured twice, so it does not matter whether an editor lets the first or the last pattern
; win.

(comment) @comment
(number) @number
(probability) @number
(string) @string
(true) @boolean
(false) @boolean

; ---- Words ----

[
  "data"
  "type"
  "struct"
  "const"
  "var"
  "durable"
  "module"
  "init"
  "limit"
  "inject"
  "fault"
  "view"
  "diagnosable"
  "protocol"
  "complete"
  "invariant"
  "reachable"
  "unreachable"
  "tolerant"
  "ltl"
  "ctl"
  "assume"
  "on"
  "by"
  "as"
  "skip"
  "goto"
  "assert"
  "atomic"
  "await"
  "fair"
  "timeout"
  "after"
] @keyword

["proc" "func" "predicate"] @keyword.function
"import" @keyword.import
"return" @keyword.return
["if" "else" "choice" "select" "switch" "case" "default"] @keyword.conditional
["for" "break" "continue"] @keyword.repeat
["in" "range" "to" "is" "forall" "exists" "count" "sum"] @keyword.operator
(temporal_operator) @keyword.operator

"any" @constant.builtin
(process_type "process" @type.builtin)
(channel_type "channel" @type.builtin)
(channel_type ["bag" "overflow"] @keyword)
(fault_declaration ["process" "channel"] @keyword)
(trigger ["send" "recv"] @function.builtin)
(message_expression operation: _ @function.builtin)

; ---- Names ----

(data_declaration name: (identifier) @type)
(type_declaration name: (identifier) @type)
((named_type (identifier) @type.builtin)
  (#any-of? @type.builtin "bool" "bit" "int" "timer" "detector"))
((named_type (identifier) @type)
  (#not-any-of? @type "bool" "bit" "int" "timer" "detector"))
(literal_expression type: (identifier) @type)

(constructor_declaration name: (identifier) @constructor)
(constructor (identifier) @constructor)

(proc_declaration name: (identifier) @function)
(func_declaration name: (identifier) @function)
(predicate_declaration name: (identifier) @function)
(fault_declaration name: (identifier) @function)
(call_expression function: (identifier) @function.call)
(group_expression function: (identifier) @function.call)
(callee (identifier) @function.call)
(tolerated how: (identifier) @keyword)
(tolerated level: (identifier) @keyword)
(join word: (identifier) @keyword)
(trigger (identifier) @variable.parameter)

(specification name: (identifier) @label)
(protocol_declaration name: (identifier) @label)
(labeled_statement label: (identifier) @label)
(goto_statement label: (identifier) @label)
(at_expression label: (identifier) @label)

(module_declaration name: (identifier) @module)
(const_declaration name: (identifier) @constant)
(const_statement name: (identifier) @constant)
(parameter name: (identifier) @variable.parameter)
(message_field name: (identifier) @variable.member)
(literal_field name: (identifier) @variable.member)
(named_argument name: (identifier) @variable.parameter)
(field_expression field: (identifier) @variable.member)
(var_statement name: (identifier) @variable)
(entry_name (identifier) @variable)
(_ variable: (identifier) @variable)

; Without looking names up, a constant or constructor is known by its capital letter.
((name_expression (identifier) @constant)
  (#match? @constant "^[A-Z]"))
((name_expression (identifier) @variable)
  (#not-match? @variable "^[A-Z]"))
(numbered_name (identifier) @variable)
(field_expression base: (identifier) @module)

(marker_name (identifier) @attribute)
(marker "@" @attribute)
(marker alias: (identifier) @label)

; ---- Signs ----

[
  "="
  "+="
  "-="
  "*="
  "/="
  "%="
  "&="
  "|="
  "^="
  "<<="
  ">>="
  "<->"
  "->"
  "||"
  "&&"
  "=="
  "!="
  "<"
  "<="
  ">"
  ">="
  "+"
  "-"
  "|"
  "^"
  "*"
  "/"
  "%"
  "<<"
  ">>"
  "&"
  "!"
  ".."
] @operator
(at_expression "@" @operator)

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "." "#"] @punctuation.delimiter
