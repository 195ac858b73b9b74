const marks = given_marks;
for (const name of Object.keys(process.env)) if (marks.test(name)) delete process.env[name];
try {
  process.argv = [process.argv[0], '/srv/main.js'];
} catch {}
