import { describeControls } from '../test-support-controls.ts';

describeControls('vitest');
