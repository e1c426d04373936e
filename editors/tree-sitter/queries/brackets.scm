; Brackets that belong together, for Zed.

("{" @open "}" @close)
("[" @open "]" @close)
("(" @open ")" @close)
