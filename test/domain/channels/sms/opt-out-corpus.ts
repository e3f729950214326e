/**
 * Sayings of people who want no more messages or calls, and others with the same words that want something else, one a line,
 * in the languages of the service.
 */
export interface Corpus {
  sayings: string;
  nearMisses: string;
}

export const corpora: Record<string, Corpus> = {
  english: {
    sayings: `
Please stop texting me
stop texting me!!!
Can you please stop sending me messages?
Don't text me anymore
dont message me any more
Do not contact me again.
I don't want any more messages
I no longer wish to receive these texts
I don't want to get these messages anymore
Take me off your list
please remove my number from your system
Remove me from this list please
UNSUBSCRIBE ME NOW
I want to unsubscribe
I'd like to opt out of these messages
opt me out pls
Leave me alone
leave me alone please, I am not interested
No more texts please
no more of these messages thanks
Enough with the texts
Quit messaging me
Stop it
Please just stop
stop stop stop
I want you to stop texting me
You need to stop contacting me
I asked you to stop texting me
I told you not to text me again
Please do not send me any more messages
Don't send anything to this number
stop spamming me
cancel these text alerts
Cancel my subscription
I revoke my consent to be texted
I withdraw my permission to contact me
Please delete my number
lose my number
Would you please stop bothering me
never text me again
Don't ever contact me again
I'm not interested in receiving your messages
Hi, thanks for everything but please stop the reminders
Stop sending me this stuff
turn off these notifications
make these messages stop
put me on your do not call list
stop calling me
don't call me ever again
Please don't call or text me
I don't want to be contacted
I do not want to hear from you anymore
get me off this list
kindly refrain from messaging me
end these messages
I am sick of these texts
you keep texting me
wrong number
This is the wrong number, stop texting
I never signed up for this
how do I unsubscribe?
How do I stop these messages?
I'll block this number
please cease all communication, no more messages
you guys wont stop texting me
take my name off of your mailing list
could u stop msging me
plz stop txting me
no texts please
Discontinue these messages
Please take me off of your texting list
I'd appreciate if you would stop contacting me
Not interested, remove me
stop w the texts
stop with these messages already
do not send me texts
Do not send me anything else
I dont need these reminders any more
this is harassment, stop texting me
Can someone please stop these messages
I'm asking you one last time to stop messaging me
I would like to stop receiving these messages
How can I get off this list
delete me from your contacts
Please unsubscribe this number
Stop notifications
no more sms
please discontinue text messages to this number
don't want your texts
I never want to hear from you again
You have been told to stop texting
Please quit calling my phone
cut it out with the messages
do me a favor and stop texting
im opting out
pls quit msging me
Take my name off this list.
TAKE ME OFF UR LIST!!!
dont text this number again
Wrong person, please remove this number from your system
plz stp txting me
Enough with the texts already 😡
No more texts please, thank you. Margaret
i dont want these anymore
Kindly cease all communication with me.
you have the wrong number stop texting
Could you kindly stop sending me these reminders? Best, Harold
STOP sending me this crap
unsubcribe
Un subscribe me please
how do i get off this list
how do I stop these messages
I never signed up for this. Remove me
ＳＴＯＰ texting me
STOP 🛑🛑🛑
I said stop!!!!
i'd like to opt out of these thx
opt me out
Quit bugging me
not interested, remove me
please delete my number & dont contact me again
fuck off and stop texting
Do not contact me again. - Regards, Pat
cancel these texts
cant u just stop messaging me??`,
    nearMisses: `
Stop by at noon?
I'll stop by the clinic at 3
How do I stop the pain?
Should I stop taking the tablets?
don't stop sending me reminders
Please don't stop texting me, it helps
I can't stop laughing
I can't stop coughing at night
the bleeding won't stop
When can I stop taking antibiotics?
I stopped smoking last week
Where is the bus stop?
I got off one stop too early
He won't stop texting me and I am scared
My ex won't leave me alone
How do I get him to stop texting me?
I told my neighbour to stop calling the police
please don't remove me from the list
Can you remove the stitches on Monday?
Take me off the waiting list for Tuesday
Please cancel my appointment
I need to cancel tomorrow
Did you stop sending reminders?
Why did you stop texting me?
I have not received any messages
No message from you yet
there are no more texts in my inbox
I didn't get any more reminders
I don't want to miss your messages
I don't want to bother you
Never mind
no more pain today, thanks
No more headaches since Monday
I will text you when I arrive
you never text me back
You don't call me like you used to
I didn't mean to unsubscribe
I unsubscribed by mistake, please add me again
Do not unsubscribe me
I was opted out by accident
Can I opt out of the flu shot?
I want to opt out of the school lunch
I quit my job
My son quit the team
The end of the month works
That's the end of my medication
Please leave a message
leave me a message with the time
Please don't leave me alone in the waiting room
Call me when the results are there
text me the address please
Stop smoking is hard
non-stop headache since yesterday
full stop
I need to stop at the pharmacy first
is it ok to quit the diet
the alarm does not stop beeping
Don't worry, no problem
Please send me more messages like this
I want more information
thanks for the text message
My phone keeps turning off
I'd like to receive reminders by text
Does the rash go away on its own?
the pain won't go away
can you delete the second appointment
I am taking my name from my mother's side
alone at home today
It hurts when I text for long
We stop for lunch at 12
Please stop the bleeding advice, call a doctor
Can you tell me when to stop the cream?
I will stop texting now, thanks
Sorry I can't stop to talk
Please don't forget to text me
Don't text me, I'll text you
Do I have to stop eating before the test?
I want to end the treatment
please cancel
cancel my 3pm
I quit smoking yesterday
No more questions
I have no more questions
enough about that
stop worrying
She told me to stop calling her
they said stop the insulin
no text from the doctor yet
Should I delete the app
Remove the second address please
Remove my old address from my file
take me to the clinic
I'm off work today
Leave the package alone at the door
message me tomorrow
Don't send the results by post
Do not send the invoice to my wife
Please don't call the police
I can't get my daughter to stop texting
My alarm stops at 8
I don't want any surgery
I don't want to come
I don't want to wait
I want to unsubscribe from the gym, not from you
Do not cancel my appointment
It's the end of my shift
can you stop by at 5?
please don't stop, this helps me
can you stop the pain
I stopped taking the blue pills
should I stop the antibiotic?
no thanks, tuesday does not work
No
the bleeding wont stop
Cancel my appointment on Friday please
I need to cancel tomorrow, can we do next week?
Remove the second name from the booking
which bus stop is closest?
don't call me before 9, I'm asleep
don't text me at work, use the evening
I don't want to stop the program
I didn't get the message, send again
The nurse said to stop the drops, is that right?
my son keeps texting and I cannot stop him lol
no more pain today 😊
Quit smoking 3 days ago!
I want out of the hospital
I never got your text. Please resend it.
can't take it anymore, the itching is terrible
unsubscribe button in my other app does not work, how do I do it there?
Stop me if I am wrong but was it not Monday?
I would like to end my lease
can you take me off the waiting list for Thursday and put me on Friday`,
  },
  finnish: {
    sayings: `
Lopettakaa viestien lähettäminen
lopettakaa jo nämä viestit
Lopeta viestien lähettely
Älkää lähettäkö minulle enää viestejä
älä lähetä enää mitään
Älkää enää lähettäkö viestejä tähän numeroon
En halua enää viestejä teiltä
en halua vastaanottaa näitä viestejä
Haluan lopettaa viestien saamisen
Haluan perua tilauksen
Peruuttakaa tekstiviestipalvelu
Poistakaa numeroni listaltanne
poista mut teidän listalta
Poistakaa minut postituslistalta
Ei enää viestejä, kiitos
ei viestejä kiitos
Jättäkää minut rauhaan
jätä mut rauhaan
Älkää ottako minuun yhteyttä
älä ota enää yhteyttä
Älkää soittako minulle enää
älä soita mulle
Lopettakaa soittelu
Voisitteko lopettaa viestittelyn
Voitteko lopettaa näiden viestien lähettämisen?
Pyydän teitä lopettamaan viestien lähettämisen
En tarvitse näitä viestejä
En halua että minulle lähetetään tekstiviestejä
En halua että minuun otetaan yhteyttä
Kiellän yhteydenotot
Peruutan suostumukseni
peruutan suostumukseni viesteihin
Unohtakaa numeroni
Lopettakaa tämä häirintä
Lopettakaa spämmäys
Nyt riitti nämä viestit
Väärä numero
teillä on väärä numero
Miten lopetan nämä viestit?
Miten pääsen pois listalta? En halua viestejä
Riittää jo
olen kyllästynyt näihin viesteihin
En ole tilannut näitä
Lopettakaa heti
lopeta nyt jo
Älkää häiritkö minua enää
Lopettakaa mainosten lähettäminen
Tekstiviestit saavat loppua
Lopettakaa tekstiviestien lähettäminen minulle
En enää halua näitä muistutuksia
Älkää enää laittako viestiä
Poistakaa tietoni rekisteristänne
Voisitteko ystävällisesti poistaa minut listalta
haluan pois listalta
haluan pois postituslistalta
Lopettakaa viestittely kiitos
Älkää lähetelkö enää näitä
Minulle ei saa lähettää viestejä
En anna lupaa lähettää viestejä
Ei enempää viestejä
lopettakaa soittaminen
älkää enää laittako viestiä
En halua näitä viestejä enää
poistakaa numeroni listaltanne
Lopeta tää spämmi
lopettakaa tekstaaminen!!
ei enää viestejä kiitos
Olkaa hyvä ja poistakaa minut postituslistalta. T. Matti
en haluu enää mitään viestei teiltä
Väärä numero, älkää laittako tänne enää mitään
peruutan tilauksen näistä viesteistä
Haluan perua viestit
stop näille viesteille
jättäkää mut rauhaan
miten näistä viesteistä pääsee eroon?
elä laita ennää viestiä
ala lahettako enaa viesteja
Saako nämä viestit lopetettua?
ÄLKÄÄ OTTAKO YHTEYTTÄ
Poistakaa mut tästä 😠
En ole kiinnostunut, älkää lähettäkö enempää
pois listalta kiitos
voisitteko ystävällisesti lopettaa näiden lähettämisen
loppu nyt näille viesteille`,
    nearMisses: `
Älkää lopettako viestien lähettämistä
älä lopeta muistutuksia, ne ovat hyviä
Voinko lopettaa lääkkeen?
Milloin voin lopettaa antibiootit?
Lopetin tupakoinnin viime viikolla
En pysty lopettamaan yskimistä
En saa lopetettua nauramista
Miten kipu loppuu?
Verenvuoto ei lopu
Miksi lopetitte viestien lähettämisen?
En ole saanut viestejä
viestejä ei ole tullut
Ei viestiä vielä
En saanut muistutusta
En halua menettää aikaani
En halua missata viestejänne
En halua häiritä teitä
Perun huomisen ajan
Haluan peruuttaa ajanvarauksen
Poistakaa minut jonotuslistalta
Milloin tikit poistetaan?
Jätin viestin vastaajaan
Jätä viesti niin soitan
Lähettäkää viesti kun tulokset ovat valmiit
Soittakaa minulle huomenna
Älkää unohtako soittaa
Ei enää kipuja
ei enää kuumetta
Ei kiitos, en tarvitse muuta
En halua leikkausta
En tiedä vielä
Exäni ei lopeta soittamista
Naapuri ei jätä minua rauhaan
Äiti ei halua lääkettä
Lähettäkää lisää viestejä kiitos
Haluan saada viestejä
Kiitos viestistä
Tulen käymään kello kolme
Bussipysäkki on lähellä
Loppuuko hoito jo?
Lääke loppui
Reseptini on loppunut
Lopetanko dieetin?
Pitääkö tabletit lopettaa?
Hän lopetti juomisen
Soitto tuli väärään aikaan
En ehdi nyt vastata
Viesti oli epäselvä
En ymmärrä viestiänne
Älkää peruko aikaani
Ota minut mukaan
Ottakaa minut vastaan huomenna
Haluan lopettaa hoidon
Voitteko siirtää ajan
Poistakaa toinen varaus
En tarvitse kyytiä
en halua tulla
Älä huoli
älkää lähettäkö laskua postitse
Voitko pysähtyä kello viideltä?
älkää lopettako, näistä on apua
Lopetin lääkkeen eilen
pitääkö lääkitys lopettaa?
Ei kiitos
Ei kiitos, tiistai ei sovi
Peruutan perjantain ajan
Haluan perua huomisen ajan
en saanut viestiä, lähettäkää uudelleen
Älkää soittako ennen yhdeksää
kipu ei lopu
Lopeta kipu
verenvuoto loppui
en enää tarvitse rollaattoria
Poistakaa toinen aika varauksesta
En halua lopettaa
lapsi ei lopeta itkemistä
en halua enää käyttää tätä lääkettä
bussipysäkki oli suljettu
maito on loppu
älkää lähettäkö sinne vaan kotiosoitteeseen`,
  },
  swedish: {
    sayings: `
Sluta skicka sms till mig
sluta smsa mig
Snälla sluta skicka meddelanden
Sluta messa mig nu
Skicka inga fler meddelanden
Skicka inte mer till mig
Skicka inga fler sms tack
Jag vill inte ha fler sms
Jag vill inte få era meddelanden längre
vill inte ha era sms
Kontakta mig inte igen
Kontakta mig inte mer
Ring mig inte
Ring inte mig mer
Hör inte av er mer
Ta bort mig från listan
Ta bort mitt nummer
ta bort mig från era utskick
Avregistrera mig
Jag vill avregistrera mig
Jag vill avsluta prenumerationen
Avsluta mina sms
Stoppa alla sms
Inga fler meddelanden tack
inga fler sms
Lämna mig ifred
lämna mig i fred!
Låt mig vara
Kan ni sluta skicka sms?
Kan du sluta messa mig tack
Jag återkallar mitt samtycke
Jag vill slippa era sms
Jag vill slippa få fler påminnelser
Glöm mitt nummer
Jag undanber mig fler meddelanden
Sluta ringa mig
Sluta kontakta mig
Sluta upp med det här
Sluta nu
Fel nummer
Ni har fel nummer
Hur avregistrerar jag mig?
Hur stoppar jag dessa sms?
Det räcker nu
Jag blockerar er
Jag har inte bett om detta
för många sms från er
sluta spamma
Sluta med dessa sms
Jag vill inte bli kontaktad
Jag önskar inte fler meddelanden
Vänligen sluta kontakta mig
Ta bort mig från er lista tack
jag vill inte längre ha era påminnelser
Sluta höra av er
Var vänlig och skicka inga fler sms
Jag vill inte att ni skickar sms
Radera mitt nummer
kan ni ta bort mig ur registret
Skicka inget mer tack
jag vill inte ha fler sms
ta bort mig från listan
Ta bort mitt nummer tack!
snälla sluta skicka dessa meddelanden
Sluta!!! 😡
vill inte ha dom här smsen längre
Avregistrera mig. Mvh Gunilla
avsluta utskicken
Fel nummer, sluta skicka till mig
hur avslutar jag de här utskicken?
hur slipper jag era sms
lämna mig ifred
inga fler meddelanden tack
kontakta mig inte igen
Jag undanber mig fler utskick
stoppa smsen
ta bort mej från eran lista
Jag vill avsäga mig era meddelanden
nu räcker det, inga mer sms
jag tackar nej till fler utskick
smsa inte mer`,
    nearMisses: `
Sluta inte skicka påminnelser
Sluta inte smsa, det hjälper
Kan jag sluta ta medicinen?
När får jag sluta med tabletterna?
Jag kan inte sluta hosta
Jag kan inte sluta skratta
Jag har slutat röka
Blödningen slutar inte
Hur slutar smärtan?
Varför slutade ni skicka sms?
Jag har inte fått några meddelanden
Jag fick inga sms
inga meddelanden har kommit
Jag vill inte missa era meddelanden
Jag vill inte störa
Jag vill avboka min tid
Avboka tiden imorgon
Ta bort mig från väntelistan
När tar ni bort stygnen?
Lämna ett meddelande
Jag lämnade ett meddelande igår
Lämna mig inte ensam
Skicka ett sms när svaret kommer
Ring mig imorgon
Ring mig när ni kan
Glöm inte att ringa
Glöm inte min tid
Inga fler besvär tack
inga problem
Nej tack
Mitt ex slutar inte ringa
Grannen lämnar mig inte ifred
Hon vill inte ha medicin
Skicka gärna fler meddelanden
Jag vill ha fler påminnelser
Tack för ert sms
Jag stannar till vid apoteket
Var är busshållplatsen?
Nästa hållplats är vår
I slutet av veckan
Medicinen är slut
Receptet är slut
Ska jag sluta med dieten?
Jag slutar jobbet klockan fem
Jag vet inte än
Jag förstår inte meddelandet
Jag vill inte ha operationen
Han slutade dricka
Jag hör av mig
Sluta oroa dig
Ska jag sluta ta blodtryckstabletterna
Jag vill avsluta behandlingen
Ta bort den andra bokningen
Skicka inte räkningen till min fru
Jag vill inte komma
Jag vill inte vänta
Ring inte polisen
Sms:a mig imorgon
kan du stanna till vid fem?
sluta inte, det hjälper mig
jag slutade med medicinen igår
ska jag sluta med tabletterna?
nej tack, tisdag passar inte
Jag vill avboka tiden på fredag
avboka imorgon tack
jag fick inget sms, skicka igen
ring mig inte före nio
smärtan slutar inte
kan ni stoppa smärtan?
vilken busshållplats är närmast?
Inga fler besvär 😊
ta bort stygnen på tisdag?
jag vill inte sluta
ta bort den andra tiden från bokningen
blödningen har slutat
jag vill inte ha fler tabletter
Slutade röka för tre dagar sen!
skicka inte brevet till jobbet utan hem
kan inte komma längre än till tre`,
  },
  german: {
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
  },
  french: {
    sayings: `
Arrêtez de m'envoyer des messages
arrête de m'écrire
Arrêtez de m'appeler
Cessez de me contacter
Ne m'envoyez plus de messages
ne m'envoyez plus rien
Ne m'écrivez plus
Ne m'appelez plus
Ne me contactez plus jamais
Je ne veux plus recevoir de SMS
Je ne veux plus de vos messages
je veux plus recevoir vos textos
Je ne souhaite plus être contacté
Je ne souhaite plus recevoir vos messages
Merci de ne plus m'envoyer de messages
Merci de ne plus me contacter
Veuillez arrêter de m'envoyer des SMS
Veuillez ne plus me contacter
Retirez-moi de votre liste
Supprimez mon numéro
Merci de supprimer mon numéro de votre fichier
Enlevez-moi de la liste svp
Désabonnez-moi
Je veux me désabonner
Je souhaite me désinscrire
désinscription svp
Laissez-moi tranquille
Fichez-moi la paix
foutez moi la paix
Plus de messages s'il vous plaît
Plus de SMS merci
Assez de messages
Stop aux SMS
Arrêtez les messages
Stoppez ces SMS
Pouvez-vous arrêter de m'écrire ?
Je retire mon consentement
Annulez mon abonnement SMS
Je m'oppose à recevoir vos messages
Oubliez mon numéro
Arrêtez ça tout de suite
arrêtez svp
Mauvais numéro
Vous avez le mauvais numéro
Comment me désabonner ?
Ça suffit
J'en ai marre de vos messages
Je vais bloquer ce numéro
Je n'ai jamais demandé ça
N'envoyez plus de messages à ce numéro
Arrêtez de me harceler
Ne m'envoyez plus de SMS s'il vous plaît
Arrêtez svp de m'écrire
Je vous demande d'arrêter de me contacter
je ne désire plus recevoir de messages de votre part
Merci d'arrêter les SMS
Merci de me retirer de vos listes
Pourriez-vous me désinscrire ?
Vous pouvez arrêter de m'envoyer des textos
stop messages
Rayez-moi de vos fichiers
Cessez ces envois
Effacez mes données
arretez de m envoyer des sms
Merci de ne plus m'envoyer de messages. Cordialement, Mme Leroy
jveux plus recevoir vos sms
enlevez moi de votre liste
Retirez mon numéro de vos fichiers
Laissez-moi tranquille 😡
stop aux sms
plus de sms merci
ne me contactez plus jamais
c'est pas le bon numéro arrêtez
comment on fait pour ne plus recevoir ces messages ?
je souhaite me désinscrire
ne m ecrivez plus
marre de vos messages
J'en ai assez de vos textos, ça suffit
supprimer mon numero svp
arrêtez vos pubs
Veuillez cesser tout envoi à ce numéro
je ne suis pas intéressé, ne plus me contacter
j’annule mon abonnement aux messages
faut arrêter de m’écrire là`,
    nearMisses: `
N'arrêtez pas de m'envoyer des rappels
N'arrêtez surtout pas
Puis-je arrêter le traitement ?
Quand puis-je arrêter les antibiotiques ?
Je n'arrête pas de tousser
Je n'arrive pas à arrêter de rire
J'ai arrêté de fumer
Le saignement ne s'arrête pas
Comment arrêter la douleur ?
Pourquoi vous ne m'envoyez plus de rappels ?
Pourquoi avez-vous arrêté les messages ?
Je n'ai pas reçu de message
Je ne reçois plus de messages
Pas de message hier
Je ne veux pas rater vos messages
Je ne veux pas vous déranger
Je voudrais annuler mon rendez-vous
Annulez le rendez-vous de demain
Retirez-moi de la liste d'attente
Quand enlevez-vous les points ?
Laissez un message
J'ai laissé un message
Ne me laissez pas seule
Envoyez-moi un message quand c'est prêt
Appelez-moi demain
Contactez-moi quand vous pouvez
N'oubliez pas de m'appeler
N'oubliez pas mon rendez-vous
Plus de fièvre depuis lundi
je n'ai plus mal
Non merci
Mon ex n'arrête pas de m'appeler
Le voisin ne me laisse pas tranquille
Elle ne veut pas de comprimés
Envoyez-moi plus de messages
Je voudrais plus de détails
Je veux recevoir les rappels
Merci pour votre message
Je m'arrête à la pharmacie
Où est l'arrêt de bus ?
Je suis en arrêt maladie
Mon médicament est fini
Dois-je arrêter le régime ?
J'arrête le travail à 17h
Je ne sais pas encore
Je ne comprends pas le message
Je ne veux pas d'opération
Il a arrêté de boire
Vous ne me rappelez jamais
Mon téléphone s'arrête tout seul
Je veux arrêter le traitement
Ne m'attendez pas
N'envoyez pas la facture à ma femme
Supprimez le deuxième rendez-vous
Je ne veux pas venir
Je ne veux plus de ce médicament
Laissez-moi réfléchir
Je ne peux plus marcher
Merci de m'envoyer un message
Plus de questions merci
vous pouvez passer à 17h ?
n'arrêtez pas, ça m'aide
j'ai arrêté les comprimés hier
dois-je arrêter le traitement ?
non merci
Non merci, mardi ça ne va pas
Je dois annuler mon rendez-vous de vendredi
annulez demain svp
je n'ai pas reçu le sms, renvoyez-le
ne m’appelez pas avant 9h
la douleur ne s'arrête pas
pouvez-vous arrêter la douleur ?
à quel arrêt de bus faut-il descendre ?
plus de douleurs aujourd’hui 😊
je ne veux pas arrêter
supprimez le deuxième rendez-vous
le saignement s'est arrêté
je ne veux plus prendre ces médicaments
j'ai arrêté de fumer il y a 3 jours !
n'envoyez plus le courrier à mon ancienne adresse
je suis en arrêt maladie
j'en ai assez d'avoir mal
mon fils ne me laisse pas tranquille cette nuit, il a de la fièvre`,
  },
  spanish: {
    sayings: `
Dejen de enviarme mensajes
deja de escribirme
Por favor dejen de mandarme mensajes
Paren de enviarme mensajes
No me envíen más mensajes
no me manden mas mensajes por favor
No me escriban más
No me llamen más
no me llames nunca más
No me contacten
No me vuelvan a contactar
No quiero recibir más mensajes
Ya no quiero sus mensajes
No quiero que me escriban
No deseo recibir sus mensajes
no quiero mas sms
No me interesa recibir sus mensajes
Quiero darme de baja
denme de baja por favor
Dar de baja
Bórrenme de su lista
Eliminen mi número
quiten mi numero de su lista
Sáquenme de la lista
Por favor borren mis datos
Cancelen mi suscripción
Quiero cancelar los mensajes
Déjenme en paz
dejame tranquila
No más mensajes
no mas mensajes gracias
Basta de mensajes
Basta ya de mensajes
¿Pueden dejar de enviarme mensajes?
¿Podrían dejar de escribirme?
Retiro mi consentimiento
Revoco mi autorización
Olviden mi número
Desuscríbanme
paren por favor
Paren ya
Dejen de llamarme
Dejen de molestarme
Número equivocado
Tiene el número equivocado
¿Cómo me doy de baja?
¿Cómo dejo de recibir estos mensajes?
Estoy harto de sus mensajes
Voy a bloquear este número
Nunca me suscribí a esto
Ya basta
Favor de no enviar más mensajes
Les pido que no me escriban más
Les pido que dejen de llamarme
No quiero que me manden mensajes
No quiero seguir recibiendo mensajes
Quítenme de su lista por favor
Me quiero dar de baja
Ya no me manden mensajes
ya no me escriban
Ya no quiero recibir nada de ustedes
Deténganse con los mensajes
Solicito la baja del servicio
no envien mas
ya no me manden mensajes
Deje de escribirme por favor
no quiero recibir mas sms
quítenme de la lista
Saquenme de su lista!!
borren mi numero
dar de baja
Quiero darme de baja. Gracias, Carmen
como me doy de baja?
déjenme en paz 😡
basta de mensajes
no me escriban más
xfa no me manden + mensajes
número equivocado, dejen de molestar
paren de mandarme esto
no molesten mas
Le ruego que no me vuelva a contactar
no deseo que me contacten más
cancelar suscripcion
ya estuvo bueno con los mensajitos, parenle
no me interesa, bórrenme
retiro mi consentimiento para recibir mensajes
dejá de mandarme sms
Ya no quiero que me estén mandando esto
anulen el envío de mensajes`,
    nearMisses: `
No dejen de enviarme recordatorios
No dejes de escribirme
¿Puedo dejar el tratamiento?
¿Cuándo puedo dejar las pastillas?
No paro de toser
No puedo dejar de reír
Dejé de fumar
El sangrado no para
¿Cómo paro el dolor?
¿Por qué ya no me envían mensajes?
¿Por qué dejaron de escribirme?
No he recibido mensajes
No recibo mensajes
No me llegó ningún mensaje
No quiero perderme sus mensajes
No quiero molestar
Quiero cancelar mi cita
Cancelen la cita de mañana
Sáquenme de la lista de espera
¿Cuándo me quitan los puntos?
Deje un mensaje
Dejé un mensaje ayer
No me dejen sola
Mándenme un mensaje cuando esté listo
Llámenme mañana
Escríbanme cuando puedan
No olviden llamarme
No olviden mi cita
No más dolor
ya no tengo fiebre
No gracias
Mi ex no deja de llamarme
Mi vecino no me deja en paz
Ella no quiere pastillas
Envíenme más mensajes
Quiero más información
Quiero recibir recordatorios
Gracias por su mensaje
Paro en la farmacia primero
¿Dónde está la parada del bus?
Estoy de baja médica
Se me acabó la medicina
¿Debo dejar la dieta?
Dejo de trabajar a las cinco
No sé todavía
No entiendo el mensaje
No quiero la operación
Él dejó de beber
Ustedes nunca me llaman
Necesito la baja laboral
Mensaje para mi doctor
Quiero dejar el tratamiento
No me esperen
No envíen la factura a mi esposa
Eliminen la segunda cita
No quiero ir
No quiero esa medicina
Déjenme pensarlo
Sáquenme sangre mañana
Ya no puedo caminar
No más preguntas
Para mañana está bien
no me pares el tratamiento
no pares, me ayuda mucho
¿puede pasar a las 5?
dejé de tomar las pastillas ayer
¿tengo que dejar el tratamiento?
no gracias
No gracias, el martes no puedo
quiero cancelar la cita del viernes
cancelen lo de mañana por favor
no me llegó el mensaje, mándenlo otra vez
no me llamen antes de las 9
no para de dolerme
¿pueden parar el dolor?
¿en qué parada me bajo?
ya no tengo dolor 😊
no quiero parar
borren la segunda cita
ya no quiero tomar más pastillas
dejé de fumar hace tres días!
no manden más la carta a la casa vieja
estoy de baja por enfermedad
el médico me dio de baja hasta el lunes
el bebé no me deja en paz por la noche`,
  },
  thai: {
    sayings: `
หยุดส่งข้อความมาได้แล้ว
กรุณาหยุดส่งข้อความ
เลิกส่งข้อความหาฉัน
เลิกส่งได้แล้ว
อย่าส่งข้อความมาอีก
อย่าส่งมาอีก
ไม่ต้องส่งข้อความมาแล้ว
ไม่ต้องส่งมาอีกแล้ว
ไม่ต้องการรับข้อความแล้ว
ไม่อยากได้รับข้อความอีก
ไม่อยากรับข้อความจากคุณ
ฉันไม่ต้องการรับ SMS
ขอยกเลิกรับข้อความ
ขอยกเลิกการรับข่าวสาร
ยกเลิกการสมัคร
ยกเลิกการรับข้อความค่ะ
ขอไม่รับข้อความอีก
ลบเบอร์ฉันออกจากระบบ
ช่วยลบเบอร์ของฉันด้วย
เอาชื่อฉันออกจากรายชื่อ
อย่าติดต่อมาอีก
ไม่ต้องติดต่อมาอีก
อย่าโทรมาอีก
เลิกโทรหาฉัน
หยุดโทรมาได้แล้ว
ไม่ต้องโทรมาแล้ว
ห้ามโทรมาอีก
หยุดรบกวนฉัน
อย่ามารบกวนอีก
เลิกยุ่งกับฉัน
อย่ามายุ่ง
ช่วยหยุดส่งข้อความได้ไหม
หยุดส่งข้อความหน่อยได้ไหมคะ
ไม่อยากให้ส่งข้อความมา
ไม่ต้องการให้ติดต่อ
ไม่ยินยอมให้ส่งข้อความ
ขอถอนความยินยอม
ถอนคำยินยอม
เลิกส่งโฆษณา
งดส่งข้อความ
ระงับการส่งข้อความ
ปิดการแจ้งเตือน
ไม่เอาข้อความแล้ว
พอแล้ว
ผิดเบอร์ค่ะ
รำคาญข้อความ
จะบล็อกเบอร์นี้
ไม่เคยสมัคร
หยุดได้แล้ว
ยกเลิกอย่างไร ไม่อยากได้ข้อความ
กรุณาเลิกส่งข้อความมา
ไม่ต้องส่งอะไรมาอีก
ไม่อยากได้ข้อความแล้ว
ขอร้องอย่าส่งข้อความมาอีก
โปรดหยุดติดต่อฉัน
ฉันไม่ต้องการรับข้อความใดๆ
ช่วยลบฉันออกจากรายชื่อ
หยุดส่ง sms มาที่เบอร์นี้
อย่าส่งอะไรมาอีกเลย
ไม่ต้องการข้อความ
ไม่ต้องส่งมาอีกนะคะ
เลิกส่ง sms มาสักที
ขอยกเลิกการรับข้อความค่ะ
ยกเลิกการแจ้งเตือนด้วยครับ
ลบเบอร์ผมออกด้วย
เอาเบอร์ฉันออกจากระบบที 😡
รบกวนหยุดส่งด้วยครับ ขอบคุณครับ
ผิดเบอร์แล้ว ไม่ต้องส่งมาแล้ว
เลิกรบกวนได้แล้ว
อย่ามายุ่งกับฉันอีก
ไม่รับข้อความแล้วค่ะ
ไม่สะดวกรับข้อความค่ะ รบกวนเอาชื่อออก
จะยกเลิก sms ต้องทำยังไง
พอแล้ว ไม่ต้องส่ง
ไม่ต้องทักมาอีก
หยุดติดต่อมา
งดส่งข้อความนะคะ
เลิกทักมาซักทีรำคาญ
ไม่สนใจ อย่าส่งมาอีก
ขอออกจากรายชื่อผู้รับข้อความ`,
    nearMisses: `
อย่าหยุดส่งข้อความนะ
อย่าเลิกส่งการแจ้งเตือน
หยุดกินยาได้ไหม
เลิกกินยาเมื่อไหร่
หยุดไอไม่ได้
เลือดไม่หยุดไหล
หยุดหัวเราะไม่ได้
ฉันเลิกบุหรี่แล้ว
จะหยุดปวดได้อย่างไร
ทำไมหยุดส่งข้อความ
ทำไมไม่ส่งข้อความมาอีก
ยังไม่ได้รับข้อความ
ไม่ได้รับข้อความ
ไม่มีข้อความ
ไม่อยากพลาดข้อความ
ไม่อยากรบกวนคุณหมอ
ขอยกเลิกนัด
ยกเลิกนัดพรุ่งนี้
ลบนัดที่สอง
ตัดไหมวันไหน
ฝากข้อความไว้
ฝากข้อความไว้แล้ว
อย่าทิ้งฉันไว้คนเดียว
ส่งข้อความมาเมื่อผลออก
โทรหาฉันพรุ่งนี้
ติดต่อฉันได้เลย
อย่าลืมโทรมา
อย่าลืมนัดของฉัน
ไม่ปวดแล้ว
ไม่มีไข้แล้ว
ไม่เป็นไร
แฟนเก่าไม่เลิกโทรหาฉัน
เพื่อนบ้านไม่หยุดรบกวน
เขาไม่อยากกินยา
ส่งข้อความมาอีกได้
อยากได้ข้อมูลเพิ่ม
อยากรับการแจ้งเตือน
ขอบคุณสำหรับข้อความ
แวะร้านขายยาก่อน
ป้ายรถเมล์อยู่ที่ไหน
วันหยุดคลินิกเปิดไหม
ยาหมดแล้ว
ต้องหยุดอาหารไหม
เลิกงานห้าโมง
ยังไม่รู้
ไม่เข้าใจข้อความ
ไม่อยากผ่าตัด
เขาเลิกดื่มแล้ว
คุณไม่เคยโทรกลับ
สิ้นเดือนได้ค่ะ
หยุดยาได้ไหม
ไม่อยากไปหาหมอ
ไม่อยากรอ
ลบนัดวันที่สอง
ไม่ต้องรอ
อย่าส่งบิลให้ภรรยา
ไม่ต้องห่วง
ขอเลิกรักษา
อย่าโทรหาตำรวจ
ไม่ต้องการผ่าตัด
แวะมาตอนห้าโมงได้ไหม
อย่าหยุดนะคะ ช่วยได้มาก
หยุดยาแล้วเมื่อวาน
ต้องหยุดยาไหมคะ
ไม่ค่ะ ขอบคุณ
ไม่เป็นไรค่ะ
ขอยกเลิกนัดวันศุกร์ค่ะ
ยกเลิกนัดพรุ่งนี้ครับ
ไม่ได้รับข้อความ ส่งใหม่ได้ไหม
อย่าโทรมาก่อนเก้าโมง
เลือดไม่หยุด
ไม่ปวดแล้วค่ะ 😊
ไม่อยากหยุด
ลบนัดที่สองออกด้วย
เลิกบุหรี่มาสามวันแล้ว
ไม่อยากกินยาแล้ว
ป้ายรถเมล์อยู่ตรงไหน
วันนี้หยุดงานค่ะ
อย่าส่งเอกสารไปที่บ้านเก่า
ส่งมาแล้วค่ะ
ไม่ต้องส่งยามาที่บ้าน จะไปรับเอง
พอแล้วค่ะ อิ่มแล้ว`,
  },
};
