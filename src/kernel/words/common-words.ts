/**
 * The words that give a language away in one short sentence: articles, prepositions, pronouns, and what tasks are about. Words of one letter
 * stand for too much and are left out.
 */

export const COMMON_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    'the a an and or of to in on at by for from with without into is are be was not no yes this that these those it its my our your we you i he they',
    'add fix make create build write update remove delete change improve implement refactor use should must can when if then all new support test tests',
    'what which how why do does get set show move rename replace allow prevent every each only also after before but have has will please let so as',
    'bug error user users file files mode page list dark login screen button command flag typo check run handle return investigate extract translate',
    'convert migrate speed rate memory leak service simple responsive dashboard deployment dependencies dependency middleware payment search results',
    'email notification notifications management system small large server client database schema report settings labels upload download',
  ),
  es: words(
    'el la los las un una unos unas de del al y o en con sin por para que no sí se su sus mi es son está están este esta esto como cuando si más pero',
    'añade añadir agrega agregar corrige corregir crea crear haz hacer arregla arreglar mejora mejorar elimina eliminar cambia cambiar implementa usa usar',
    'usuario usuarios archivo archivos modo página pantalla botón prueba pruebas error sesión quiero necesito debe deben todos todas cada solo también',
    'construye escribe actualiza actualizar permite mostrar muestra inicio oscuro nuevo nueva búsqueda',
  ),
  de: words(
    'der die das den dem des ein eine einen einem einer und oder in im an am auf aus bei mit ohne von vom zu zum zur für über unter nach nicht kein keine',
    'per ist sind wird werden soll sollen muss müssen kann ich wir sie er es du ihr mein unser bitte wenn dann als auch nur alle jede jeder neu neue neuen',
    'hinzufügen füge beheben behebe korrigiere erstelle erstellen baue bauen schreibe schreiben ändere ändern verbessere verbessern entferne entfernen',
    'fehler datei dateien benutzer seite anmeldung knopf tests test umgang dunkel modus ja nein danke implementiere mach mache aktualisiere umbenennen',
  ),
  fr: words(
    'le la les un une des de du et ou en dans avec sans pour par que qui ne pas est sont ce cette ces il elle nous vous je mon notre votre au aux sur plus',
    'ajoute ajouter corrige corriger crée créer fais faire améliore améliorer supprime supprimer change changer écris mettre utilise erreur fichier page l d',
    'utilisateur utilisateurs bouton connexion mode test tests oui non nouveau nouvelle tous toutes quand si',
  ),
  it: words(
    'il lo la i gli le un uno una di del della dei degli delle e o in con senza per che non è sono questo questa come quando se più ma al alla nel nella da',
    'aggiungi aggiungere correggi correggere crea creare migliora migliorare rimuovi rimuovere scrivi usa errore pagina utente utenti file modo sì nuovo nuova',
  ),
  pt: words(
    'o a os as um uma de do da dos das e ou em no na nos nas com sem por para que não é são este esta isso como quando se mais mas ao à aos às',
    'adicionar adicione corrigir corrija criar crie melhorar melhore remover remova escrever usar erro página usuário usuários arquivo botão sim novo nova',
  ),
  nl: words(
    'de het een en of in op aan bij met zonder van naar voor niet geen is zijn wordt moet kan ik wij we jij je mijn ons dit dat deze als ook alleen alle',
    'toevoegen voeg toe maak maken verbeter verbeteren verwijder verwijderen wijzig schrijf fout bestand gebruiker gebruikers pagina ja nee nieuw nieuwe los',
  ),
  sv: words(
    'och att det som en ett den är på av för med till inte om jag vi du lägg fixa skapa ändra ta bort fel fil sida användare ny nytt nya',
  ),
  pl: words(
    'i w na z do nie że się to jest są dla od po dodaj napraw utwórz zmień usuń popraw błąd plik strona użytkownik nowy nowa przez oraz',
  ),
  cs: words('a v na z do ne že se to je jsou pro od po přidej oprav vytvoř změň odstraň chyba soubor stránka uživatel nový nová přes nebo'),
  ro: words('și în la de cu fără pentru nu este sunt un o adaugă repară creează schimbă șterge eroare fișier pagină utilizator nou nouă'),
  hu: words('a az és egy nem hogy is van vagy hozz létre javítsd add hozzá hiba fájl oldal felhasználó új'),
  tr: words('ve bir bu için ile değil var yok ekle düzelt oluştur değiştir sil hata dosya sayfa kullanıcı yeni'),
  vi: words('và của là không cho với một các thêm sửa tạo xóa lỗi tệp trang người dùng mới'),
  id: words('dan di ke dari untuk dengan yang tidak ini itu tambahkan perbaiki buat ubah hapus kesalahan berkas halaman pengguna baru'),
};

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')).filter((word) => word.length > 1));
}
