"""What shells read to complete our words: Typer's lines, and where they fall short our own.

Bash breaks words at "=", as in `decks=8`: we join them again, and give back what follows the sign.
Behind `decks=` comes no space. Zsh reads the file at the first Tab, which shall be answered too.
Fish takes every line for a proposal, so what an option means has to stand in one, however long.
"""

from __future__ import annotations

from typer import _completion_shared as shared

BASH = """
%(complete_func)s() {
    local line="${COMP_LINE:0:COMP_POINT}"
    local words=($line) word="${line##*[[:space:]]}"
    local IFS=$'\\n'
    COMPREPLY=( $( env COMP_WORDS="$line" \\
                   COMP_CWORD=$(( ${#words[@]} - (${#word} > 0) )) \\
                   %(autocomplete_var)s=complete_bash $1 ) )
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%%=*}="}")
    fi
    return 0
}

complete -o default -F %(complete_func)s %(prog_name)s
"""

ZSH = """
#compdef %(prog_name)s

%(complete_func)s() {
  eval $(env COLUMNS=1000 _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" \\
             %(autocomplete_var)s=complete_zsh %(prog_name)s)
}

compdef %(complete_func)s %(prog_name)s
[[ $funcstack[1] == _%(prog_name)s ]] && %(complete_func)s "$@"
"""


FISH = shared.COMPLETION_SCRIPT_FISH.replace('"(env ', '"(env COLUMNS=1000 ', 1)


def use_our_scripts() -> None:
    """Where Typer keeps them elsewhere one day, its own do."""
    scripts: dict[str, str] = getattr(shared, "_completion_scripts", {})
    scripts |= {"bash": BASH, "zsh": ZSH, "fish": FISH}
