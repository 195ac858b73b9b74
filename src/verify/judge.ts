export type { EvidenceResult, JudgeInput, JudgeSettings, ResultCache, RunContext, SuiteInput } from './contract.ts';
