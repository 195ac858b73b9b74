/**
 * Whether a task asks for something that another command does better. Pure.
 *
 * 1. Only the beginning of the task and plain mentions of a spec count: a wish that names such a word in passing is a wish.
 * 2. The answer is a suggestion; the person decides.
 */

export type Signal = 'improve' | 'implement' | 'understand';

/** Suggested commands by signal, as they are named in the question. */
export const SUGGESTED: Readonly<Record<Signal, 'workflow' | 'workflow plan'>> = {
  improve: 'workflow',
  implement: 'workflow',
  understand: 'workflow plan',
};

export function routingSignal(task: string): Signal | null {
  const text = task.normalize('NFC').trim().replace(/\s+/gu, ' ');
  for (const [signal, patterns] of SIGNALS) if (patterns.some((pattern) => pattern.test(text))) return signal;
  return null;
}

const POLITE = '(?:please |can you |could you |bitte |por favor |请|請|帮我)?';

const SIGNALS: readonly (readonly [Signal, readonly RegExp[]])[] = [
  [
    'implement',
    [
      /\b(?:implement|build|code|develop)\b[^.]*\b(?:from|based on|according to|following|per|the|this|our|my)\b[^.]*\bspec(?:ification)?s?\b/iu,
      /\b(?:implement\w*|umsetz\w*|setze|implementier\w*)\b[^.]*\bspec(?:ification)?\.md\b/iu,
      /\b(?:setze|implementiere|baue)\b[^.]*\bspezifikation\b/iu,
      /\bimplementa\w*\b[^.]*\bespecificaci[oó]n\b/iu,
      /(?:스펙|명세서?|사양)[^.]*(?:구현|개발)해/u,
      /(?:仕様書?|スペック)[^。]*(?:実装|開発)して/u,
      /(?:按照?|根据|依据)[^。]*(?:规格|规范|需求文档|规格书)[^。]*(?:实现|开发)/u,
    ],
  ],
  [
    'understand',
    [
      new RegExp(
        `^${POLITE}(?:explain|understand|analy[sz]e|audit|review|describe|summari[sz]e|walk me through|document how)\\b[^.]*\\b(?:code(?:base)?|repo(?:sitory)?|module|function|class|works?|architecture|existing)\\b`,
        'iu',
      ),
      /^how (?:does|do|is|are)\b/iu,
      new RegExp(
        `^${POLITE}(?:erkläre?|analysiere|untersuche|verstehe)\\b[^.]*\\b(?:code(?:basis)?|funktionier\\w*|modul|architektur|repository)`,
        'iu',
      ),
      new RegExp(
        `^${POLITE}(?:explica|analiza|entiende|audita|revisa)\\w*\\b[^.]*(?:código|funciona|módulo|arquitectura|repositorio)`,
        'iu',
      ),
      /(?:코드|코드베이스|구조|아키텍처)[^.]*(?:설명|분석|이해|파악)/u,
      /(?:コード|コードベース|構造|アーキテクチャ)[^。]*(?:説明|分析|理解|解析)/u,
      /^(?:请|請|帮我)?(?:解释|分析|说明|理解)[^。]*(?:代码|架构|模块|工作原理)/u,
    ],
  ],
  [
    'improve',
    [
      new RegExp(
        `^${POLITE}(?:refactor|clean up|tidy up|optimi[sz]e|speed up|simplify|rewrite|deduplicate|fix|improve) (?:the|this|our|my|all|existing)\\b`,
        'iu',
      ),
      new RegExp(`^${POLITE}refactor\\b`, 'iu'),
      new RegExp(`^${POLITE}(?:refaktorier\\w*|räume|optimiere|vereinfache|verbessere|behebe|repariere)\\s`, 'iu'),
      new RegExp(`^${POLITE}(?:refactoriza|optimiza|simplifica|mejora|corrige|arregla|limpia)\\s`, 'iu'),
      /(?:리팩[터토]링|최적화|버그|코드 정리)[^.]*(?:해|고쳐|수정)/u,
      /(?:リファクタリング|最適化|バグ)[^。]*(?:して|直して|修正)/u,
      /^(?:请|請|帮我)?(?:重构|优化|修复|简化|改进)/u,
    ],
  ],
];
