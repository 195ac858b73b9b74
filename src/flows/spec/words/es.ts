/** Texts of the spec flow in Spanish. */
import type { Catalogue } from '../../../kernel/words/words.ts';
import type { SpecWords } from './en.ts';

export const es: Catalogue<SpecWords> = {
  session: {
    question: (status) => `Aquí hay una sesión de especificación anterior.\n${status}\n¿Continuarla, empezar de nuevo o terminar?`,
    resumeHalted: 'Solo repite por qué se detuvo y qué se puede hacer; ninguna fase avanza por sí sola',
    again: { shown: 'Escribir de nuevo', description: 'Escribir la especificación otra vez con las respuestas dadas' },
    resumeOlder: 'De una versión anterior: primero se hace la búsqueda de convenciones que faltaba; las respuestas dadas se conservan',
    stopped: 'La sesión de especificación terminó y se quitaron sus archivos de trabajo.',
    goesOn: (phase) => `Se continúa con: ${phase}`,
    noTask: 'No hay nada para lo que escribir una especificación.',
    noTaskFix: 'Diga qué se debe construir: harness spec "una exportación de todos los pedidos en CSV"',
  },
  routing: {
    header: 'Orientación',
    improve: 'Esto parece un cambio en código existente. Quizá otro comando sea más adecuado.',
    implement: 'Esto parece una especificación que ya existe y se debe construir. Quizá otro comando sea más adecuado.',
    understand: 'Esto parece una pregunta sobre código existente. Quizá otro comando sea más adecuado.',
    change: { shown: (command) => `Cambiar: /${command}`, description: (line) => `Terminar aquí y usar: ${line}` },
    stay: { shown: 'Seguir con /spec', description: 'Escribir una especificación de todos modos' },
    switched: (line) => `No se empezó ninguna especificación. El comando para ello: ${line}`,
  },
  collision: {
    header: 'Directorio ocupado',
    question: (path) => `${path} contiene los documentos de una especificación anterior. Al final se sobrescribirían.`,
    append: { shown: 'Añadir fecha y hora', description: (path) => `Escribir en ${path} y dejar como están los documentos anteriores` },
    overwrite: { shown: 'Sobrescribir', description: 'Usar el mismo directorio; los documentos anteriores se sobrescribirán al final' },
    stop: { shown: 'Terminar', description: 'Acabar aquí e intentarlo con otra descripción' },
    stopped: 'No se empezó nada. Describa la tarea con otras palabras para obtener otro directorio.',
  },
  mode: {
    header: 'Modo',
    question: '¿Cómo se debe escribir la especificación?',
    quick: { shown: 'rápido (quick)', description: 'Un agente la escribe a partir de sus respuestas: rápido y barato' },
    deep: {
      shown: 'profundo (deep)',
      description: 'Cuatro analistas la miran desde lados distintos, luego se reúne y se critica: más a fondo, varias veces los tokens',
    },
  },
  model: {
    confirm: (models) => `Entonces, ¿estos modelos: ${models}?`,
    use: { shown: 'Usarlos', description: 'Seguir con estos' },
    again: { shown: 'Elegir de nuevo', description: 'Volver a la elección de modelos' },
  },
  started: '¡Especificación empezada!',
  branchSkipped: 'El repositorio aún no tiene ningún commit, por eso no se creó una rama.',
  qa: {
    header: (round) => `Preguntas, ronda ${round}/3`,
    first: (task, list) => `Para una especificación exacta falta aclarar algunas cosas de esta tarea: ${task}\n\n${list}`,
    later: (list) => `Sus respuestas plantean algunas preguntas más:\n\n${list}`,
    inline: { shown: 'Responder aquí', description: 'Con sus propias palabras, una línea numerada por pregunta' },
    skip: { shown: 'Omitir', description: 'Seguir sin respuestas; lo desconocido queda marcado como sin confirmar' },
    enough: { shown: 'No más preguntas', description: 'Terminar las preguntas y escribir la especificación ahora' },
    looking: (round) => `Buscando lo que no está claro (ronda ${round} de 3)`,
    unreadable: (round) =>
      `Las preguntas de la ronda ${round} no se pudieron leer en dos intentos; se hicieron preguntas generales o se omitió la ronda.`,
    complete: 'Ya se preguntó todo lo necesario. Se escribe la especificación...',
    general: {
      users: {
        question: '¿Quién va a usarlo y qué quiere conseguir con ello?',
        why: 'La especificación se escribe desde su punto de vista.',
      },
      scope: { question: '¿Qué forma parte con seguridad y qué queda fuera expresamente?', why: 'Aquí se decide el límite del trabajo.' },
      success: { question: '¿En qué se notará que funciona como debe?', why: 'De ahí salen los criterios de aceptación.' },
      limits: {
        question: '¿Qué hay que respetar: plataformas, cantidad de datos, velocidad, otros sistemas?',
        why: 'Esos límites descartan soluciones.',
      },
      assumptions: {
        question: '¿Qué da por hecho que no está escrito en ninguna parte?',
        why: 'Los supuestos que nadie menciona acaban en un software equivocado.',
      },
    },
  },
  conventions: {
    damaged: (value) => `state.json tiene en "conventions" un valor no permitido: ${value}.`,
    damagedFix:
      'Solo se permiten null, "skipped" y "file:.harness/conventions.md". No se leyó ningún archivo. Revise el archivo y elija Restart.',
    skipped: 'Se omitieron las convenciones: los analistas suponen que no hay ninguna.',
    lost: 'El archivo de convenciones ya no está; se repite la búsqueda.',
  },
  analysis: {
    started: (count) => `${count} analistas la examinan, cada uno por su cuenta`,
    dispatchFailed: (persona) => `${persona}: ningún análisis después de tres intentos`,
    parseFailed: (persona) => `${persona}: su última línea no tiene la forma acordada`,
    nothing: 'Ningún analista encontró nada que señalar; se omite la crítica.',
    lost: 'Falta un análisis; se consulta de nuevo a los analistas.',
  },
  synthesis: {
    started: 'Se escribe la especificación',
    again: 'Se escribe de nuevo la especificación con lo que encontró el crítico',
    failed: 'No se pudo escribir la especificación en tres intentos.',
    failedFix: 'Las respuestas se conservan. El mismo comando lo intenta de nuevo.',
    missing: (sections) => `A la especificación le faltan estas secciones: ${sections}`,
    ready: 'El borrador de la especificación está listo.',
  },
  unconfirmed: '[sin confirmar]',
  critic: {
    header: 'Crítica',
    started: 'El crítico lee la especificación',
    question: (critical, major, minor) =>
      `El crítico encontró ${critical} Critical, ${major} Major, ${minor} Minor en la especificación.\n> Revisar: se escribe una vez más para resolver Critical y Major (Minor queda).\n> Modificar: diga qué debe cambiar y se escribe de nuevo con sus palabras.\n> Aceptar tal cual: pasar a la aprobación final con los hallazgos a mano.`,
    revise: { shown: 'Revisar', description: 'Escribirla de nuevo con los hallazgos (una vez como mucho)' },
    modify: { shown: 'Modificar', description: 'Decir qué debe cambiar' },
    approve: { shown: 'Aceptar tal cual', description: 'Seguir sin revisión' },
    secondQuestion: (critical, major, minor) =>
      `La segunda versión todavía tiene ${critical} Critical, ${major} Major, ${minor} Minor. No habrá una tercera.`,
    secondApprove: { shown: 'Aceptar tal cual', description: 'Pasar a la aprobación final y revisar el resto usted mismo' },
    stop: { shown: 'Detener', description: 'Detener: una persona tiene que revisarlo' },
    parseFailed: 'La línea de resultado del crítico no se puede leer; sus cifras se desconocen. No cuenta como aprobación.',
    parseQuestion: 'Las cifras del crítico se desconocen. critic_findings.md puede contener hallazgos: léalo, por favor.',
    parseApprove: { shown: 'Aceptar tal cual', description: 'Ha leído critic_findings.md; pasar a la aprobación final' },
    dispatchFailed: 'NO SE PUDO CONTACTAR CON EL CRÍTICO: nadie ha revisado esta especificación. Léala con cuidado antes de construirla.',
    approvedUnread: 'Usted aceptó esta especificación aunque el resultado del crítico no se podía leer.',
    clean: (minor) => `El crítico no encontró nada Critical ni Major (${minor} Minor).`,
    findings: (path) => `Hallazgos: ${path}`,
    findingsLost: 'Faltan los hallazgos; el crítico lee de nuevo la especificación.',
    legacy: 'Esta sesión viene de una versión anterior que perdió la ruta de los hallazgos. Lea usted mismo la especificación.',
    whatToChange: '¿Qué debe cambiar?',
  },
  halted: {
    message: (reason) => `La sesión de especificación está detenida en la crítica (${reason}). Una persona tiene que revisarla.`,
    read: 'Lea .harness/spec/critic_findings.md y el borrador.',
    restart: 'Para empezar de nuevo: ejecute el mismo comando y elija Restart o Stop.',
    again: 'Para seguir con las respuestas dadas: ejecute el mismo comando y elija «Escribir de nuevo» (Write again).',
  },
  approval: {
    header: 'Especificación',
    question: 'Lea la especificación de arriba. ¿Aprobarla, modificarla o terminar?',
    approve: { shown: 'Aprobar', description: 'Aceptar esta especificación' },
    modify: { shown: 'Modificar', description: 'Decir qué debe cambiar; se escribe de nuevo' },
    stop: { shown: 'Terminar', description: 'Acabar aquí sin esta especificación' },
    stopped: (path) => `La especificación no se aprobó. El borrador queda en ${path}; se quitaron los archivos de trabajo.`,
    unconfirmed: (count) =>
      `${count} ${count === 1 ? 'afirmación está marcada' : 'afirmaciones están marcadas'} con [sin confirmar]: nadie ${count === 1 ? 'la' : 'las'} ha confirmado.`,
    again: 'Se escribe de nuevo la especificación con sus cambios.',
  },
  complete: '¡Especificación terminada!',
  next: {
    header: 'Siguiente paso',
    question: 'Su especificación está lista. ¿Construirla ahora?',
    workflow: { shown: 'Empezar /workflow', description: 'Planificar, construir y comprobar ahora con esta especificación' },
    project: { shown: 'Empezar /project', description: 'Convertir sus criterios de aceptación en funciones: harness init --spec' },
    done: { shown: 'Listo', description: 'Guardar la especificación para más tarde' },
  },
  handOff: {
    task: (path) => `Implementar lo que describe ${path}`,
    refused: (path, reason) => `Los documentos no se pueden guardar en ${path}: ${reason}. No se quitó nada; siguen en .harness/spec/.`,
    kept: (files) => `Guardado: ${files}`,
    later: (line) => `Para construirla: ${line}`,
    onBranch: (branch) => `Está en la rama ${branch}. No se hizo ningún commit.`,
  },
  ended: {
    limit: (role, reason) => `${role} terminó antes de tiempo: ${reason}. El mismo comando sigue desde aquí.`,
    waits: (id) => `Hay una pregunta en espera: harness answer ${id} <opción>, y después el mismo comando otra vez.`,
  },
};
