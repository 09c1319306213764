# fish completion for dpsql
# Written by `make reference` from what `dpsql --help` says.

complete -c dpsql -n 'not __fish_seen_subcommand_from audit budget check demo' -s h -l help -d 'Print this help message and exit'
complete -c dpsql -n 'not __fish_seen_subcommand_from audit budget check demo' -l policy -r -F -d 'The owner\'s policy file'
complete -c dpsql -n 'not __fish_seen_subcommand_from audit budget check demo' -l ledger -r -F -d 'The budget\'s file, or sqlite:FILE (default: beside the policy, ending in .ledger)'
complete -c dpsql -n 'not __fish_seen_subcommand_from audit budget check demo' -l analyst -x -d 'Who asks (default: the login name)'
complete -c dpsql -n 'not __fish_seen_subcommand_from audit budget check demo' -l format -x -a 'box json' -d 'How answers are printed: box or json'
complete -c dpsql -n 'not __fish_seen_subcommand_from audit budget check demo' -s c -x -d 'The SQL to run; may be repeated'
complete -c dpsql -n 'not __fish_seen_subcommand_from audit budget check demo' -l version -d 'Display program version information and exit'

complete -c dpsql -n '__fish_is_first_arg' -a audit -d 'Read the record of all that was paid for.'
complete -c dpsql -n '__fish_seen_subcommand_from audit' -s h -l help -d 'Print this help message and exit'
complete -c dpsql -n '__fish_seen_subcommand_from audit' -l policy -r -F -d 'The owner\'s policy file'
complete -c dpsql -n '__fish_seen_subcommand_from audit' -l ledger -r -F -d 'The budget\'s file, or sqlite:FILE (default: beside the policy)'
complete -c dpsql -n '__fish_seen_subcommand_from audit' -a export -d 'Verify the ledger and write one JSON object for each entry'

complete -c dpsql -n '__fish_is_first_arg' -a budget -d 'Show what is spent and what is left of a dataset\'s budget. Costs nothing.'
complete -c dpsql -n '__fish_seen_subcommand_from budget' -s h -l help -d 'Print this help message and exit'
complete -c dpsql -n '__fish_seen_subcommand_from budget' -l policy -r -F -d 'The owner\'s policy file'
complete -c dpsql -n '__fish_seen_subcommand_from budget' -l ledger -r -F -d 'The budget\'s file, or sqlite:FILE (default: beside the policy)'
complete -c dpsql -n '__fish_seen_subcommand_from budget' -l history -x -d 'How many of the last entries to show'
complete -c dpsql -n '__fish_seen_subcommand_from budget' -l format -x -a 'text json' -d 'text or json'
complete -c dpsql -n '__fish_seen_subcommand_from budget' -a grant -d 'Put the policy\'s budget in force (for the owner)'
complete -c dpsql -n '__fish_seen_subcommand_from budget' -a pardon -d 'Let an analyst ask again who was locked out (for the owner)'

complete -c dpsql -n '__fish_is_first_arg' -a check -d 'Check a policy, or a query against it. Asks nothing and costs nothing.'
complete -c dpsql -n '__fish_seen_subcommand_from check' -s h -l help -d 'Print this help message and exit'
complete -c dpsql -n '__fish_seen_subcommand_from check' -l policy -r -F -d 'The owner\'s policy file'
complete -c dpsql -n '__fish_seen_subcommand_from check' -s c -x -d 'The SQL to check; may be repeated'
complete -c dpsql -n '__fish_seen_subcommand_from check' -l dialect -x -a 'duckdb postgresql sqlite spark' -d 'With -c: also show the SQL that this database would run: duckdb, postgresql, sqlite or spark'
complete -c dpsql -n '__fish_seen_subcommand_from check' -l verify -d 'Read the data to find whether the policy\'s keys are unique, and write it down (for the owner)'
complete -c dpsql -n '__fish_seen_subcommand_from check' -l format -x -a 'text json' -d 'How findings and plans are printed: text or json'

complete -c dpsql -n '__fish_is_first_arg' -a demo -d 'A guided tour of five minutes on an invented shop. Needs no data and no network.'
complete -c dpsql -n '__fish_seen_subcommand_from demo' -s h -l help -d 'Print this help message and exit'
complete -c dpsql -n '__fish_seen_subcommand_from demo' -l yes -d 'Go on by itself'
complete -c dpsql -n '__fish_seen_subcommand_from demo' -l folder -r -F -d 'Leave the shop there, to play with afterwards'
