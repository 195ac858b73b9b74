/** Roles of the project flow. */
import cleanup from '../roles/project-cleanup.md';
import coding from '../roles/project-coding.md';
import continuation from '../roles/project-continuation.md';
import entailment from '../roles/project-entailment.md';
import examiner from '../roles/project-examiner.md';
import initializer from '../roles/project-initializer.md';
import splitter from '../roles/project-splitter.md';

export const PROJECT_ROLES: Readonly<Record<string, string>> = {
  'project/initializer': initializer,
  'project/coding': coding,
  'project/continuation': continuation,
  'project/cleanup': cleanup,
  'project/examiner': examiner,
  'project/entailment': entailment,
  'project/splitter': splitter,
};
