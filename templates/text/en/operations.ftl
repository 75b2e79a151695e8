# The server and the audit log.
audit = Audit log
audit-csv = Download CSV
audit-jsonl = Download JSON
audit-who = Who
audit-everybody = Everybody
audit-what = What
audit-anything = Anything
audit-from = From
audit-until = Until
audit-one-thing = Only what was done to one thing is shown.
audit-all = Show everything
audit-empty = Nothing on record here
audit-empty-help = Widen the search and look again.
audit-no-account = Command line
audit-details = Details
audit-older = Older lines
chain-whole = Whole
chain-whole-help = { $count ->
    [one] The seal of the latest line was checked.
   *[other] The seals of the latest { $count } lines were checked.
}
chain-broken = Seal broken
chain-broken-help = Line { $n } does not fit its neighbours. Somebody may have changed the log.
chain-check = Check it all
flash-audit-whole = All { $name } lines are whole.
flash-audit-broken = The seal is broken at line { $name }.
flash-audit-loose = Lines without a seal: { $name }.

operations = Operations
ops-build = Program
ops-version = Version
ops-uptime = Up for
ops-migrations = Schema
ops-complete = Up to date
ops-incomplete = Out of date
ops-database = Database
ops-size = Size
ops-latency = Latency
ops-connections = Connections
ops-connections-of = { $open } open, { $busy } busy, { $most } at most
ops-pool = Pool
ops-pool-of = { $open } open, { $idle } idle, { $waiting } waiting, { $size } at most
ops-streams = Live connections
ops-descriptors = File descriptors
ops-used-of = { $open } in use, { $most } at most
ops-backup = Backup
ops-backup-at = Last backup
ops-backup-none = No backup yet
ops-backup-help = It can be taken while the server runs:
ops-backup-age = Age
ops-backup-now = Back up now
flash-backup-requested = A backup is on its way; it is here in a moment.
backup-take = Automatic backups
backup-take-bad = There has been no new backup for too long.
backup-test = Restore test
backup-test-bad = The newest backup has not passed a restore test.
bad-backups = Backups need attention
bad-backups-look = See how the server is doing
ops-job-good = Fine
ops-job-bad = Needs attention
ops-job-never = not yet
ops-job-failed = Last failure
ops-processes = Processes
ops-viewers = { $count ->
    [one] { $count } viewer
   *[other] { $count } viewers
}
ops-process = Process
ops-watching = Viewers
ops-statements = Slow statements
ops-statements-none = With PostgreSQL’s pg_stat_statements, the time of each statement can be seen as well.
ops-routes = Slow requests
ops-what = What
ops-calls = Calls
ops-mean = Mean
ops-total = Total
