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
chain-changed-help = The lines fit together, but line { $n } is not the one that the server noted. Somebody may have cut off the end or written the log again.
chain-check = Check it all
flash-audit-whole = All { $name } lines are whole.
flash-audit-broken = The seal is broken at line { $name }.
flash-audit-loose = Lines without a seal: { $name }.
flash-audit-changed = Line { $name } is not the one that the server noted.

operations = Operations
ops-build = Program
ops-version = Version
ops-uptime = Up for
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
backup-base = Base backup in the archive
backup-base-bad = The archive has no new base backup.
bad-backups = Backups need attention
bad-backups-look = See how the server is doing
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

checks = Checks
checks-what = What
checks-state = State
checks-value = Measured
checks-advice = What to do
checks-state-ok = Fine
checks-state-unknown = Not known
checks-state-warning = Could be better
checks-state-problem = Problem
checked-version = Program
advice-version = Processes of different versions serve. Restart the old ones.
checked-migrations = Database schema
advice-migrations = It is out of date. Start this version of the server: it brings the database up to date.
checked-database = Database
advice-database = It does not answer. Start it, and check DATABASE_URL.
checked-database_version = PostgreSQL version
advice-database_version = PostgreSQL does not fix this version any more. Back up, install a newer one, and restore.
checked-database_tls = Encryption to the database
advice-database_tls = Others can read along. Remove sslmode=disable from DATABASE_URL, unless nobody else is on the way.
checked-database_superuser = Account at the database
advice-database_superuser = It is a superuser. Use an account that owns this database and nothing else.
checked-data_checksums = Data checksums
advice-data_checksums = A damaged page would go unnoticed. Stop PostgreSQL and run pg_checksums --enable.
checked-clock = The database’s clock
advice-clock = It differs from the clock of this machine. Keep both in step with systemd-timesyncd or chrony.
checked-time_sync = Time synchronization
advice-time_sync = Set up systemd-timesyncd or chrony.
checked-descriptors = File descriptors, soft and hard
advice-descriptors = Few connections fit. Raise the hard limit, with systemd by LimitNOFILE=65536.
checked-data_disk = Free space for data
advice-data_disk = Make room, or move the data to a larger disk.
checked-backup_disk = Free space for backups
advice-backup_disk = Make room, or name a directory on another disk with backup_dir.
checked-backups = Automatic backups
advice-backups = Set backup_every, for example to 6h, unless something else backs up the database.
checked-last_backup = Age of the last backup
advice-last_backup = There is no recent backup. Take one now, and look at the server’s log.
checked-backup_test = Last restore test
advice-backup_test = The newest backup has not passed a restore test. Look at the server’s log.
checked-archive = Write-ahead archive
advice-archive = PostgreSQL’s WAL segments do not reach the archive. See that its directory is there and has room, and look at the server’s log.
checked-audit_head = Noted line of the audit log
advice-audit_head = The audit log no longer holds the line that the server noted: somebody changed the log or cut off its end. If you put a restored database in place yourself, run houserules audit accept.
checked-public_url = Public address
advice-public_url = Set public_url to the address that guests’ phones reach. It goes into the QR codes.
checked-browser_tls = Encryption to browsers
advice-browser_tls = Others on the network can read passwords. Set tls or tls_cert, or put a proxy with TLS in front; and begin public_url with https.
checked-certificate = Validity of the certificate
advice-certificate = Browsers will refuse this server soon, or refuse it already. Renew the certificate in tls_cert; with tls = "local", look at the server’s log.
checked-certificate_names = Names in the certificate
advice-certificate_names = The name in public_url is not among them: browsers refuse this server. Get a certificate for that name; with tls = "local", restart the server.
checked-proxies = Trusted proxies
advice-proxies = All guests seem to come from the proxy, and share its limits. Set behind_proxy.
checked-ops_listener = Address for health and metrics
advice-ops_listener = Others may reach it. Set ops_bind to 127.0.0.1 or to an address of a private network.
checked-data_directory = Mode of the data directory
advice-data_directory = Other users of the machine can look inside. Set its mode to 0750 or 0700.
checked-secret = Mode of the secret
advice-secret = Other users of the machine can read it. Set its mode to 0600.
checked-secret_age = Age of the secret
advice-secret_age = It is older than two years. Consider a new one.
