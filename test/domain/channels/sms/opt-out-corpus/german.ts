import type { Corpus } from './corpus.js';

export const german: Corpus = {
  sayings: `
Hören Sie auf, mir zu schreiben
Hör auf mir zu schreiben
hört endlich auf mir SMS zu schicken
Bitte hören Sie auf, mir Nachrichten zu senden
Bitte keine Nachrichten mehr
Keine SMS mehr bitte
Schicken Sie mir keine Nachrichten mehr
Bitte schicken Sie mir keine weiteren SMS
Schreiben Sie mir nicht mehr
schreib mir nicht mehr
Schreibt mir nie wieder
Kontaktieren Sie mich nicht mehr
Bitte kontaktieren Sie mich nicht
Ich möchte keine Nachrichten mehr erhalten
Ich will keine SMS mehr von Ihnen
Ich möchte nicht mehr kontaktiert werden
Ich will nicht mehr angeschrieben werden
Ich wünsche keine weiteren Nachrichten
Rufen Sie mich nicht mehr an
ruf mich nie wieder an
Nehmen Sie mich aus dem Verteiler
Bitte nehmen Sie meine Nummer aus Ihrer Liste
Löschen Sie meine Nummer
Bitte löschen Sie meine Daten
Streichen Sie mich von der Liste
Ich möchte mich abmelden
Melden Sie mich bitte ab
Abmelden bitte
Ich will das abbestellen
Lassen Sie mich in Ruhe
lasst mich in ruhe!!
Ich widerrufe meine Einwilligung
Stoppen Sie diese Nachrichten
Bitte stoppen Sie die SMS
Unterlassen Sie weitere Nachrichten
Schluss mit den Nachrichten
Könnten Sie bitte aufhören mir zu schreiben?
Können Sie aufhören, mir SMS zu schicken?
Ich verzichte auf weitere Nachrichten
Vergessen Sie meine Nummer
Ich brauche keine Nachrichten mehr
Falsche Nummer
Sie haben die falsche Nummer
Wie kann ich mich abmelden?
Es reicht jetzt
Ihre Nachrichten nerven
Ich blockiere diese Nummer
Ich habe dem nie zugestimmt
stopp jetzt
Hör auf damit, keine Nachrichten mehr
Bitte nicht mehr schreiben
Hör auf mit den Nachrichten
Ich möchte Ihre Nachrichten nicht mehr bekommen
Bitte senden Sie mir nichts mehr
Ich will von euch nichts mehr hören
Bitte entfernen Sie mich aus dem Verteiler
Stellen Sie die Nachrichten ein
Bitte keine weiteren SMS an diese Nummer
Ich bitte Sie, mir nicht mehr zu schreiben
Nehmt mich aus der Liste raus
Belästigen Sie mich nicht mehr
Ich habe genug von euren Nachrichten
hört auf mir zu schreiben
Bitte keine SMS mehr
Nehmen Sie mich bitte aus dem Verteiler. MfG Schneider
löscht meine nummer
ich will das nicht mehr bekommen
Ich möchte keine weiteren Nachrichten erhalten.
Lasst mich in Ruhe!!!
schreibt mir nie wieder
abmelden bitte
wie kann ich mich hier abmelden
Bitte melden Sie mich ab
Hiermit widerspreche ich der Zusendung weiterer SMS
ich widerrufe meine Einwilligung
falsche nummer, bitte nix mehr schicken
schluss mit den sms 😤
Hörns auf mit dene SMS
kein bock mehr auf eure nachrichten
Stellen Sie den Versand bitte ein
bitte kontaktieren sie mich nicht mehr
nerv nicht mehr
Sofort aufhören mit dem Spam!
kann man das hier abbestellen?
ich bestelle das ab
bitte austragen
koennt ihr bitte aufhoeren mir sms zu schicken`,
  nearMisses: `
Hören Sie nicht auf, mir zu schreiben
Bitte nicht aufhören mit den Erinnerungen
Kann ich die Tabletten absetzen?
Wann darf ich mit den Medikamenten aufhören?
Ich kann nicht aufhören zu husten
Ich habe aufgehört zu rauchen
Die Blutung hört nicht auf
Wie stoppe ich die Blutung?
Warum schreiben Sie mir nicht mehr?
Wieso bekomme ich keine Nachrichten mehr?
Ich habe keine Nachricht bekommen
Ich habe noch keine SMS erhalten
Bisher keine Nachrichten
Ich möchte keine Nachricht verpassen
Ich möchte nicht stören
Ich will Sie nicht belästigen
Ich möchte den Termin absagen
Ich muss mich vom Kurs abmelden
Bitte streichen Sie mich von der Warteliste
Wann werden die Fäden gezogen?
Bitte hinterlassen Sie eine Nachricht
Ich habe eine Nachricht hinterlassen
Lassen Sie mich nicht allein
Schreiben Sie mir, wenn die Ergebnisse da sind
Rufen Sie mich bitte morgen an
Bitte vergessen Sie mich nicht
Vergessen Sie meinen Termin nicht
Keine Schmerzen mehr
keine weiteren Fragen
Nein danke
Mein Ex hört nicht auf mir zu schreiben
Der Nachbar lässt mich nicht in Ruhe
Sie will keine Tabletten
Bitte schicken Sie mir mehr Nachrichten
Ich möchte gerne Erinnerungen bekommen
Danke für die Nachricht
Ich halte kurz an der Apotheke
Wo ist die Bushaltestelle?
Am Ende der Woche
Das Medikament ist zu Ende
Soll ich mit der Diät aufhören?
Ich höre um fünf auf zu arbeiten
Ich weiß es noch nicht
Ich verstehe die Nachricht nicht
Ich möchte keine Operation
Er hat aufgehört zu trinken
Ich melde mich
Sie rufen nie zurück
Mein Handy schaltet sich ab
Ich schreibe Ihnen nicht mehr so oft
Ich will nicht kommen
Nehmen Sie mich bitte heute noch dran
Nehmen Sie mich mit
Bitte schicken Sie die Rechnung nicht per Post
Ich möchte die Behandlung beenden
Löschen Sie den zweiten Termin
Lassen Sie mich bitte nachdenken
Rufen Sie bitte nicht meine Frau an
Stellen Sie bitte die Medikamente bereit
Kann ich die Salbe weglassen
Können Sie um 5 vorbeikommen?
bitte nicht aufhören, das hilft mir
Ich habe mit den Tabletten aufgehört
soll ich die Tropfen absetzen?
nein danke
Nein danke, Dienstag passt nicht
Bitte den Termin am Freitag absagen
Ich muss mich für morgen abmelden, bin krank
Ich habe keine SMS bekommen, bitte nochmal schicken
bitte nicht vor 9 anrufen
Der Schmerz hört nicht auf
können Sie den Schmerz stoppen
An welcher Haltestelle muss ich raus?
keine Schmerzen mehr 😊
Ich will nicht aufhören
löschen Sie bitte den zweiten Termin
Die Blutung hat aufgehört
ich möchte keine Tabletten mehr nehmen
hab mit dem Rauchen aufgehört!
schicken Sie den Brief nicht mehr an die alte Adresse
ich bin nicht mehr in der Klinik
Ich halte es nicht mehr aus
meine Mutter lässt mich nicht in Ruhe, was soll ich tun
ich kann nicht mehr schreiben, meine Hand tut weh`,
};
