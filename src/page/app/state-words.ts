/** Whether anything runs, in two words. Pure. */
import type { NowView } from '../../reading/views.ts';
import type { Tone } from './parts/bits.tsx';

export interface State {
  tone: Tone;
  word: string;
  /** In a sentence. */
  text: string;
}

export function stateOf(view: Pick<NowView, 'running' | 'watch' | 'questions' | 'paused' | 'pausing' | 'project' | 'mission'>): State {
  const { running, watch } = view;
  const lanes = watch.lanes.length;
  if (running !== null) {
    if (view.pausing) return { tone: 'warn', word: 'pausing', text: 'It pauses after the current operation.' };
    const waits = watch.lanes.length > 0 && watch.lanes.every(({ stage }) => stage === 'waiting' || stage === 'asking');
    if (watch.asked.length > 0) return { tone: 'warn', word: 'asking', text: 'It waits for an answer.' };
    if (waits) return { tone: 'warn', word: 'waiting', text: 'It waits for the provider and goes on by itself.' };
    return {
      tone: 'busy',
      word: 'running',
      text: lanes === 0 ? 'Between sessions.' : lanes === 1 ? 'One session is under way.' : `${lanes} sessions are under way.`,
    };
  }
  if (lanes > 0)
    return {
      tone: 'bad',
      word: 'process gone',
      text: 'Its process ended without finishing this session. The next run picks it up; nothing is lost.',
    };
  if (view.questions > 0) return { tone: 'warn', word: 'needs you', text: 'Nothing runs. Questions wait for you.' };
  if (view.paused) return { tone: 'quiet', word: 'paused', text: 'Nothing runs. The project is paused.' };
  const project = view.project?.features;
  if (project !== undefined && project.total > 0 && project.passing === project.total)
    return { tone: 'good', word: 'done', text: 'Every feature passes.' };
  return { tone: 'quiet', word: 'idle', text: 'Nothing runs.' };
}
