; What can be folded.

[
  (comment)
  (data_declaration)
  (struct_fields)
  (parameters)
  (module_body)
  (block)
  (entries)
  (limit_declaration)
  (inject_declaration)
  (joins)
  (specification)
  (predicate_declaration)
  (view_declaration)
  (select_body)
  (switch_body)
] @fold
