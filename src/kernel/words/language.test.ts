import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectLanguage } from './language.ts';

describe('a task', () => {
  test.each([
    ['en', 'fix the login bug'],
    ['en', 'Add CSV export to the orders page'],
    ['en', 'add dark mode'],
    ['en', 'refactor auth'],
    ['en', 'fix typo in README'],
    ['en', 'Add tests'],
    ['en', 'make it faster'],
    ['en', 'optimise image caching'],
    ['en', 'implement OAuth2 login'],
    ['en', 'Build a REST API for todos with Postgres'],
    ['en', 'Create user registration form with email validation'],
    ['en', 'Add a --json flag to the status command'],
    ['en', 'calculator'],
    ['en', ''],
    ['en', '42'],
    ['en', 'Rename `größe` to `size` in src/länge.ts'],
    ['de', 'CSV-Export für Bestellungen hinzufügen'],
    ['de', 'login Fehler beheben'],
    ['de', 'Baue eine REST-API für Todos mit Postgres'],
    ['de', 'Umgang mit Fehlern verbessern'],
    ['de', 'Schreibe Tests für den Parser'],
    ['de', 'Die Startseite lädt zu langsam, bitte beschleunigen'],
    ['es', 'corrige el error de inicio de sesión'],
    ['es', 'añadir modo oscuro'],
    ['es', 'Construye una API REST para tareas con Postgres'],
    ['es', 'Mejora el rendimiento de la búsqueda'],
    ['es', 'Quiero exportar los pedidos a CSV'],
    ['zh', '修复登录错误'],
    ['zh', '给 OrdersController 添加 CSV 导出功能'],
    ['ko', '로그인 버그를 고쳐 주세요'],
    ['ko', 'OrdersController에 CSV 내보내기 추가'],
    ['ja', 'ログインのバグを直してください'],
    ['ja', '注文をCSVで出力できるようにする'],
    ['fr', 'corriger le bug de connexion'],
    ['fr', "Ajoute l'export CSV des commandes"],
    ['it', "Aggiungi l'esportazione CSV degli ordini"],
    ['pt', 'Adicionar exportação CSV aos pedidos'],
    ['nl', 'Toevoegen van CSV export voor bestellingen'],
    ['pl', 'Dodaj eksport CSV do zamówień'],
    ['ru', 'Исправить ошибку входа'],
    ['uk', 'Додайте можливість експорту замовлень у форматі CSV для адміністраторів'],
    ['el', 'Διόρθωσε το σφάλμα σύνδεσης'],
  ])('in %s is known: %j', (language, text) => expect(detectLanguage(text, null)).toBe(language));
});

describe('an answer', () => {
  test.each([
    ['ko', 'ok'],
    ['ko', 'Skip'],
    ['ja', 'executor:opus,advisor:haiku'],
    ['de', 'src/app.ts'],
    ['zh', 'REST API'],
    ['es', 'https://example.org/the/page/of/this'],
    ['ko', '```\nif the user is not logged in then return\n```'],
    ['fr', '...'],
    ['ja', '管理者'],
  ])('in a %s session that is too short to say keeps the language: %j', (previous, text) =>
    expect(detectLanguage(text, previous)).toBe(previous),
  );
  test.each([
    ['en', 'ko', '네, 관리자만 볼 수 있어요'],
    ['ko', 'en', 'Only administrators should see it, please'],
    ['en', 'de', 'Nur Administratoren sollen das sehen, bitte'],
    ['de', 'es', 'Solo los administradores deben verlo, por favor'],
    ['ja', 'zh', '只有管理员可以看到'],
  ])('changes the language from %s to %s: %j', (previous, language, text) => expect(detectLanguage(text, previous)).toBe(language));
});

test('any text has a tag of two or three letters', () => {
  fc.assert(
    fc.property(
      fc.uint16Array({ maxLength: 60 }).map((units) => String.fromCharCode(...units)),
      (text) => /^[a-z]{2,3}$/.test(detectLanguage(text, null)),
    ),
  );
});

test('hostile text takes time in proportion to its length', () => {
  const started = performance.now();
  for (const piece of ['`', 'a.', '--a', 'a/b\\', '://', 'Aa0_', 'ä ']) detectLanguage(piece.repeat(100_000), null);
  expect(performance.now() - started).toBeLessThan(2_000);
});
