/** Languages that the program itself speaks. By themselves: telling languages apart takes tables that most commands never need. */
export const CATALOGUE_LANGUAGES = ['en', 'ko', 'ja', 'zh', 'es', 'de'] as const;
export type CatalogueLanguage = (typeof CATALOGUE_LANGUAGES)[number];
