import { describe, expect, test } from 'vitest';
import { readStep, readSteps, type VisitStep } from './steps.ts';

describe('a sentence that the harness can follow', () => {
  test.each<[string, VisitStep]>([
    ['Navigate to /profile/settings', { kind: 'visit', to: '/profile/settings' }],
    ['Open the page http://localhost:3000/login', { kind: 'visit', to: 'http://localhost:3000/login' }],
    ['1. Go to "/users?page=2".', { kind: 'visit', to: '/users?page=2' }],
    ['Go to the home page', { kind: 'visit', to: '/' }],
    ['Reload the page', { kind: 'reload' }],
    ['Screenshot before upload', { kind: 'screenshot', name: 'before-upload' }],
    ['Take a screenshot of the dashboard', { kind: 'screenshot', name: 'dashboard' }],
    ['Screenshot', { kind: 'screenshot', name: 'page' }],
    ['Click "Save changes"', { kind: 'click', target: { name: 'Save changes', sure: true } }],
    ['Click the ‘Save’ button', { kind: 'click', target: { name: 'Save', sure: true } }],
    ['Click on the Save button', { kind: 'click', target: { name: 'Save', sure: false } }],
    ['Click #submit', { kind: 'click', target: { selector: '#submit', sure: true } }],
    ['Press the "Send" button', { kind: 'click', target: { name: 'Send', sure: true } }],
    ['Check the "I agree" checkbox', { kind: 'click', target: { name: 'I agree', sure: true } }],
    ['Press Enter', { kind: 'press', key: 'Enter' }],
    ['Fill "Name" with "Ada"', { kind: 'fill', target: { name: 'Name', sure: true }, text: 'Ada' }],
    ['Fill in the email field with "a@b.c"', { kind: 'fill', target: { name: 'email', sure: false }, text: 'a@b.c' }],
    ['Type "Ada" into #name', { kind: 'fill', target: { selector: '#name', sure: true }, text: 'Ada' }],
    ['Enter ‘it’s’ in input[name=q]', { kind: 'unread', acts: true }],
    ['Enter "it’s" in input[name=q]', { kind: 'fill', target: { selector: 'input[name=q]', sure: true }, text: 'it’s' }],
    ['Select "Red" in "Colour"', { kind: 'choose', target: { name: 'Colour', sure: true }, option: 'Red' }],
    ['Expect "Welcome, Ada"', { kind: 'expect', texts: ['Welcome, Ada'], present: true, where: 'page' }],
    ['Verify that "Saved" is visible', { kind: 'expect', texts: ['Saved'], present: true, where: 'page' }],
    ['Check "Saved" is shown', { kind: 'expect', texts: ['Saved'], present: true, where: 'page' }],
    ['Expect "Error" is not visible', { kind: 'expect', texts: ['Error'], present: false, where: 'page' }],
    ['Wait for "Done"', { kind: 'expect', texts: ['Done'], present: true, where: 'page' }],
    ['Expect the title "Shop"', { kind: 'expect', texts: ['Shop'], present: true, where: 'title' }],
    ['Expect the URL /done', { kind: 'address', contains: '/done' }],
    ['No console errors', { kind: 'console' }],
    ['Wait 2 seconds', { kind: 'wait', ms: 2_000 }],
    ['Wait 900 s', { kind: 'wait', ms: 10_000 }],
    ['Resize the window to 375x667', { kind: 'resize', width: 375, height: 667 }],
  ])('%s', (sentence, step) => {
    expect(readStep(sentence)).toEqual(step);
  });
});

describe('a sentence that is left to a person', () => {
  test.each([
    ['Upload test image via file picker', true],
    ['Click on the third row of the second table', true],
    ['Open the side menu', true],
    ['Double-click "Title"', true],
    ['Verify avatar visible in header', false],
    ['Make sure that the animation feels smooth', false],
    ['Check that the layout matches the mockup', false],
  ])('%s', (sentence, acts) => {
    expect(readStep(sentence)).toEqual({ kind: 'unread', acts });
  });
});

test('pictures of one visit have different names', () => {
  const steps = readSteps(['Screenshot of the list', 'Screenshot of the list', 'Screenshot: the LIST!']);
  expect(steps.map(({ step }) => (step.kind === 'screenshot' ? step.name : null))).toEqual(['list', 'list-2', 'the-list']);
});
