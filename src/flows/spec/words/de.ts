/** Texts of the spec flow in German. */
import type { Catalogue } from '../../../kernel/words/words.ts';
import type { SpecWords } from './en.ts';

export const de: Catalogue<SpecWords> = {
  session: {
    question: (status) => `Hier liegt eine frühere Spec-Sitzung.\n${status}\nFortsetzen, neu beginnen oder beenden?`,
    resumeHalted: 'Sagt nur noch einmal, warum angehalten wurde und was zu tun ist; nichts geht von selbst weiter',
    again: { shown: 'Noch einmal schreiben', description: 'Die Spec aus den gegebenen Antworten noch einmal schreiben' },
    resumeOlder: 'Aus einer älteren Version: zuerst wird die Suche nach Konventionen nachgeholt, gegebene Antworten bleiben',
    stopped: 'Die Spec-Sitzung wurde beendet, ihre Arbeitsdateien sind entfernt.',
    goesOn: (phase) => `Weiter mit: ${phase}`,
    noTask: 'Es gibt nichts, wofür eine Spezifikation zu schreiben wäre.',
    noTaskFix: 'Sagen Sie, was gebaut werden soll: harness spec "ein Export aller Bestellungen als CSV"',
  },
  routing: {
    header: 'Zuordnung',
    improve: 'Das klingt nach vorhandenem Code, der besser werden soll. Ein anderer Befehl passt vielleicht eher.',
    implement: 'Das klingt nach einer vorhandenen Spezifikation, die umgesetzt werden soll. Ein anderer Befehl passt vielleicht eher.',
    understand: 'Das klingt nach einer Frage zu vorhandenem Code. Ein anderer Befehl passt vielleicht eher.',
    change: { shown: (command) => `Wechseln: /${command}`, description: (line) => `Hier beenden und stattdessen: ${line}` },
    stay: { shown: 'Mit /spec weitermachen', description: 'Trotzdem eine Spezifikation schreiben' },
    switched: (line) => `Es wurde keine Spezifikation begonnen. Der Befehl dafür: ${line}`,
  },
  collision: {
    header: 'Verzeichnis belegt',
    question: (path) => `${path} enthält die Dokumente einer früheren Spezifikation. Am Ende würden sie überschrieben.`,
    append: {
      shown: 'Zeitstempel anhängen',
      description: (path) => `Nach ${path} schreiben und die früheren Dokumente lassen, wie sie sind`,
    },
    overwrite: { shown: 'Überschreiben', description: 'Dasselbe Verzeichnis nehmen; die früheren Dokumente werden am Ende überschrieben' },
    stop: { shown: 'Beenden', description: 'Hier aufhören und es mit einer anderen Beschreibung versuchen' },
    stopped: 'Nichts wurde begonnen. Beschreiben Sie die Aufgabe anders, dann gibt es ein anderes Verzeichnis.',
  },
  mode: {
    header: 'Modus',
    question: 'Wie soll die Spezifikation entstehen?',
    quick: { shown: 'schnell (quick)', description: 'Ein Agent schreibt sie aus Ihren Antworten: schnell und günstig' },
    deep: {
      shown: 'gründlich (deep)',
      description:
        'Vier Analysten sehen von verschiedenen Seiten darauf, dann wird zusammengeführt und kritisiert: gründlicher, ein Mehrfaches an Tokens',
    },
  },
  model: {
    confirm: (models) => `Also diese Modelle: ${models}?`,
    use: { shown: 'Übernehmen', description: 'Damit weitermachen' },
    again: { shown: 'Neu wählen', description: 'Zurück zur Wahl der Modelle' },
  },
  started: 'Spec begonnen!',
  branchSkipped: 'Das Repository hat noch keinen Commit, daher wurde kein Branch angelegt.',
  qa: {
    header: (round) => `Fragerunde ${round}/3`,
    first: (task, list) => `Für eine genaue Spezifikation muss zu dieser Aufgabe noch einiges klar werden: ${task}\n\n${list}`,
    later: (list) => `Ihre Antworten werfen noch Fragen auf:\n\n${list}`,
    inline: { shown: 'Hier antworten', description: 'Mit eigenen Worten, je Frage eine nummerierte Zeile' },
    skip: { shown: 'Überspringen', description: 'Ohne Antworten weiter; Unbekanntes wird als unbestätigt markiert' },
    enough: { shown: 'Keine Fragen mehr', description: 'Die Fragen beenden und die Spezifikation jetzt schreiben' },
    looking: (round) => `Offene Punkte werden gesucht (Runde ${round} von 3)`,
    unreadable: (round) =>
      `Die Fragen der Runde ${round} waren zweimal nicht lesbar; es wurden allgemeine gestellt, oder die Runde entfiel.`,
    complete: 'Mehr muss nicht gefragt werden. Die Spezifikation wird geschrieben ...',
    general: {
      users: {
        question: 'Wer wird das benutzen, und was wollen diese Menschen damit erreichen?',
        why: 'Die Spezifikation wird aus ihrer Sicht geschrieben.',
      },
      scope: { question: 'Was gehört sicher dazu, und was ausdrücklich nicht?', why: 'Hier entscheidet sich, wo die Arbeit endet.' },
      success: {
        question: 'Woran werden Sie erkennen, dass es so funktioniert, wie es soll?',
        why: 'Daraus werden die Akzeptanzkriterien.',
      },
      limits: {
        question: 'Worauf muss Rücksicht genommen werden: Plattformen, Datenmengen, Geschwindigkeit, andere Systeme?',
        why: 'Solche Grenzen schließen Lösungen aus.',
      },
      assumptions: { question: 'Was setzen Sie voraus, das nirgends steht?', why: 'Aus unausgesprochenen Annahmen wird falsche Software.' },
    },
  },
  conventions: {
    damaged: (value) => `state.json enthält für "conventions" einen unerlaubten Wert: ${value}.`,
    damagedFix:
      'Erlaubt sind nur null, "skipped" und "file:.harness/conventions.md". Es wurde keine Datei gelesen. Sehen Sie sich die Datei an und wählen Sie dann Restart.',
    skipped: 'Konventionen wurden übersprungen: die Analysten nehmen an, dass es keine gibt.',
    lost: 'Die Datei mit den Konventionen ist weg; die Suche wird wiederholt.',
  },
  analysis: {
    started: (count) => `${count} Analysten sehen es sich an, jeder für sich`,
    dispatchFailed: (persona) => `${persona}: auch nach drei Versuchen keine Analyse`,
    parseFailed: (persona) => `${persona}: die letzte Zeile hat nicht die vereinbarte Form`,
    nothing: 'Kein Analyst hatte etwas zu melden; die Kritik entfällt.',
    lost: 'Eine Analyse ist weg; die Analysten werden noch einmal gefragt.',
  },
  synthesis: {
    started: 'Die Spezifikation wird geschrieben',
    again: 'Die Spezifikation wird mit den Befunden des Kritikers neu geschrieben',
    failed: 'Die Spezifikation ließ sich in drei Versuchen nicht schreiben.',
    failedFix: 'Die Antworten bleiben erhalten. Derselbe Befehl versucht es noch einmal.',
    missing: (sections) => `In der Spezifikation fehlen diese Abschnitte: ${sections}`,
    ready: 'Der Entwurf der Spezifikation ist fertig.',
  },
  unconfirmed: '[unbestätigt]',
  critic: {
    header: 'Kritik',
    started: 'Der Kritiker liest die Spezifikation',
    question: (critical, major, minor) =>
      `Befunde des Kritikers zur Spezifikation: ${critical} Critical, ${major} Major, ${minor} Minor.\n> Überarbeiten: sie wird einmal neu geschrieben, um Critical und Major zu klären (Minor bleibt).\n> Ändern: Sie sagen, was anders werden soll, und sie wird damit neu geschrieben.\n> So annehmen: weiter zur letzten Freigabe, mit den Befunden zur Hand.`,
    revise: { shown: 'Überarbeiten', description: 'Mit den Befunden neu schreiben (höchstens einmal)' },
    modify: { shown: 'Ändern', description: 'Sagen, was anders werden soll' },
    approve: { shown: 'So annehmen', description: 'Ohne Überarbeitung weiter' },
    secondQuestion: (critical, major, minor) =>
      `Auch zur zweiten Fassung gibt es Befunde: ${critical} Critical, ${major} Major, ${minor} Minor. Eine dritte Fassung gibt es nicht.`,
    secondApprove: { shown: 'So annehmen', description: 'Weiter zur letzten Freigabe; den Rest sehen Sie sich selbst an' },
    stop: { shown: 'Anhalten', description: 'Anhalten: ein Mensch muss es sich ansehen' },
    parseFailed: 'Die Ergebniszeile des Kritikers ist nicht lesbar, die Zahlen sind unbekannt. Das gilt nicht als Zustimmung.',
    parseQuestion: 'Die Zahlen des Kritikers sind unbekannt. critic_findings.md kann Befunde enthalten: bitte lesen.',
    parseApprove: { shown: 'So annehmen', description: 'Sie haben critic_findings.md gelesen; weiter zur letzten Freigabe' },
    dispatchFailed:
      'DER KRITIKER WAR NICHT ZU ERREICHEN: niemand hat diese Spezifikation geprüft. Lesen Sie sie genau, bevor sie gebaut wird.',
    approvedUnread: 'Sie haben diese Spezifikation angenommen, obwohl das Ergebnis des Kritikers nicht lesbar war.',
    clean: (minor) => `Der Kritiker fand nichts, was Critical oder Major wäre (${minor} Minor).`,
    findings: (path) => `Befunde: ${path}`,
    findingsLost: 'Die Befunde sind weg; der Kritiker liest die Spezifikation noch einmal.',
    legacy:
      'Diese Sitzung stammt aus einer älteren Version, die den Ort der Befunde verloren hat. Bitte lesen Sie die Spezifikation selbst.',
    whatToChange: 'Was soll anders werden?',
  },
  halted: {
    message: (reason) => `Die Spec-Sitzung ist bei der Kritik angehalten (${reason}). Ein Mensch muss sie sich ansehen.`,
    read: 'Lesen Sie .harness/spec/critic_findings.md und den Entwurf.',
    restart: 'Um neu zu beginnen: denselben Befehl ausführen und Restart oder Stop wählen.',
    again: 'Um mit den gegebenen Antworten weiterzumachen: denselben Befehl ausführen und „Noch einmal schreiben“ (Write again) wählen.',
  },
  approval: {
    header: 'Spezifikation',
    question: 'Bitte lesen Sie die Spezifikation oben. Freigeben, ändern lassen oder beenden?',
    approve: { shown: 'Freigeben', description: 'Diese Spezifikation annehmen' },
    modify: { shown: 'Ändern', description: 'Sagen, was anders werden soll; sie wird neu geschrieben' },
    stop: { shown: 'Beenden', description: 'Hier aufhören, ohne diese Spezifikation' },
    stopped: (path) => `Die Spezifikation wurde nicht freigegeben. Der Entwurf bleibt unter ${path}, die Arbeitsdateien sind entfernt.`,
    unconfirmed: (count) =>
      `${count} ${count === 1 ? 'Aussage ist' : 'Aussagen sind'} mit [unbestätigt] markiert: niemand hat sie bestätigt.`,
    again: 'Die Spezifikation wird mit Ihren Änderungen neu geschrieben.',
  },
  complete: 'Spec fertig!',
  next: {
    header: 'Wie weiter',
    question: 'Ihre Spezifikation ist fertig. Soll sie jetzt gebaut werden?',
    workflow: { shown: '/workflow beginnen', description: 'Jetzt mit dieser Spezifikation planen, bauen und prüfen' },
    project: { shown: '/project beginnen', description: 'Aus den Akzeptanzkriterien Features machen: harness init --spec' },
    done: { shown: 'Fertig', description: 'Die Spezifikation für später behalten' },
  },
  handOff: {
    task: (path) => `Umsetzen, was ${path} beschreibt`,
    refused: (path, reason) =>
      `Die Dokumente können nicht unter ${path} abgelegt werden: ${reason}. Nichts wurde entfernt; sie liegen noch in .harness/spec/.`,
    kept: (files) => `Behalten: ${files}`,
    later: (line) => `Zum Bauen: ${line}`,
    onBranch: (branch) => `Sie sind auf dem Branch ${branch}. Es wurde nichts committet.`,
  },
  ended: {
    limit: (role, reason) => `${role} endete vorzeitig: ${reason}. Derselbe Befehl macht hier weiter.`,
    waits: (id) => `Eine Frage wartet: harness answer ${id} <Option>, danach denselben Befehl noch einmal.`,
  },
};
