/** An agent, for people. */
export function agentLabel({ backend, model }: { backend: string; model?: string | null | undefined }): string {
  return model === undefined || model === null || model === '' ? backend : `${backend} with ${model}`;
}
