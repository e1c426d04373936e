; How lines are indented: one step deeper in each pair of brackets, and no deeper where it closes. Neovim reads the names with
; `indent.`, Helix `indent` and `outdent`, Zed `indent` and `end`.

([
  (block)
  (entries)
  (module_body)
  (struct_fields)
  (joins)
  (select_body)
  (switch_body)
  (data_declaration)
  (limit_declaration)
  (inject_declaration)
  (specification)
  (predicate_declaration)
  (view_declaration)
  (literal_fields)
] @indent.begin @indent)

([
  (parameters)
  (arguments)
  (array_expression)
  (parenthesized_expression)
] @indent.begin @indent)

["}" ")" "]"] @indent.branch @outdent

(_ "{" "}" @end) @indent
(_ "[" "]" @end) @indent
(_ "(" ")" @end) @indent

(comment) @indent.ignore
