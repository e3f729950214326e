import type { Corpus } from './corpus.js';

export const french: Corpus = {
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
};
