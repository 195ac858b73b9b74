/** The words of the live view below the output, in the languages of the flows; the project flow speaks English. */

export interface FooterWords {
  session: (number: number) => string;
  atWork: string;
  verifying: string;
  round: (number: number, of: number) => string;
  retry: (number: number) => string;
  waiting: string;
  provider: string;
  answer: (gate: string) => string;
  left: (time: string, until: string) => string;
  unseen: (lines: number) => string;
}

/** English where a language is not known. */
export function footerWords(language: string | null): FooterWords {
  const base = (language ?? 'en').toLowerCase().split('-', 1)[0]!;
  return Object.hasOwn(OTHERS, base) ? OTHERS[base]! : ENGLISH;
}

const ENGLISH: FooterWords = {
  session: (number) => `session ${number}`,
  atWork: 'agent at work',
  verifying: 'verifying',
  round: (number, of) => `round ${number}/${of}`,
  retry: (number) => `retry ${number}`,
  waiting: 'waiting',
  provider: 'waiting for the provider',
  answer: (gate) => `waiting for an answer to ${gate}`,
  left: (time, until) => `${time} left, until ${until}`,
  unseen: (lines) => `… ${lines} more line${lines === 1 ? '' : 's'} of the agent ${lines === 1 ? 'is' : 'are'} not shown`,
};

const OTHERS: Readonly<Record<string, FooterWords>> = {
  ko: {
    session: (number) => `세션 ${number}`,
    atWork: '에이전트 작업 중',
    verifying: '검사 중',
    round: (number, of) => `라운드 ${number}/${of}`,
    retry: (number) => `재시도 ${number}`,
    waiting: '대기 중',
    provider: '제공자를 기다리는 중',
    answer: (gate) => `${gate} 답변을 기다리는 중`,
    left: (time, until) => `${time} 남음, ${until}까지`,
    unseen: (lines) => `… 에이전트의 출력 ${lines}줄이 더 있습니다`,
  },
  ja: {
    session: (number) => `セッション ${number}`,
    atWork: 'エージェントが作業中',
    verifying: '検査中',
    round: (number, of) => `ラウンド ${number}/${of}`,
    retry: (number) => `再試行 ${number}`,
    waiting: '待機中',
    provider: 'プロバイダーを待っています',
    answer: (gate) => `${gate} への回答を待っています`,
    left: (time, until) => `残り ${time}、${until} まで`,
    unseen: (lines) => `… エージェントの出力があと ${lines} 行あります`,
  },
  zh: {
    session: (number) => `会话 ${number}`,
    atWork: '智能体工作中',
    verifying: '检查中',
    round: (number, of) => `第 ${number}/${of} 轮`,
    retry: (number) => `重试 ${number}`,
    waiting: '等待中',
    provider: '正在等待服务商',
    answer: (gate) => `正在等待 ${gate} 的回答`,
    left: (time, until) => `还剩 ${time}，到 ${until}`,
    unseen: (lines) => `… 智能体还有 ${lines} 行输出未显示`,
  },
  es: {
    session: (number) => `sesión ${number}`,
    atWork: 'agente trabajando',
    verifying: 'comprobando',
    round: (number, of) => `ronda ${number}/${of}`,
    retry: (number) => `reintento ${number}`,
    waiting: 'esperando',
    provider: 'esperando al proveedor',
    answer: (gate) => `esperando una respuesta a ${gate}`,
    left: (time, until) => `quedan ${time}, hasta las ${until}`,
    unseen: (lines) => `… ${lines} línea${lines === 1 ? '' : 's'} más del agente sin mostrar`,
  },
  de: {
    session: (number) => `Sitzung ${number}`,
    atWork: 'Agent arbeitet',
    verifying: 'wird geprüft',
    round: (number, of) => `Runde ${number}/${of}`,
    retry: (number) => `Wiederholung ${number}`,
    waiting: 'wartet',
    provider: 'wartet auf den Anbieter',
    answer: (gate) => `wartet auf eine Antwort zu ${gate}`,
    left: (time, until) => `noch ${time}, bis ${until}`,
    unseen: (lines) => `… ${lines} weitere Zeile${lines === 1 ? '' : 'n'} des Agenten nicht gezeigt`,
  },
};
