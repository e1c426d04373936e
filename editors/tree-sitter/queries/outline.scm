; The outline of a file, for Zed.

(data_declaration "data" @context name: (identifier) @name) @item
(type_declaration "type" @context name: (identifier) @name) @item
(const_declaration "const" @context name: (identifier) @name) @item
(proc_declaration "proc" @context name: (identifier) @name) @item
(func_declaration "func" @context name: (identifier) @name) @item
(predicate_declaration "predicate" @context name: (identifier) @name) @item
(module_declaration "module" @context name: (identifier) @name) @item
(fault_declaration "fault" @context name: (identifier) @name) @item
(protocol_declaration "protocol" @context name: (identifier) @name) @item
(init_declaration "init" @name) @item
(specification ["invariant" "reachable" "unreachable" "tolerant" "ltl" "ctl" "assume"] @context name: (identifier) @name) @item
